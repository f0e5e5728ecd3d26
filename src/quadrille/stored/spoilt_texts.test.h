// Texts of stored entries with something wrong in them, for tests of their readers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "quadrille/base/check.h"
#include "quadrille/base/random.h"
#include "quadrille/stored/embedded.h"
#include "quadrille/stored/stored_entry.h"

namespace quadrille {

/// One of a few hundred small accidents: a byte replaced, left out or put in, a line lost, doubled or cut.
inline std::string spoilt_text(std::string_view text, Rng& rng) {
  std::string out(text);
  const size_t at = rng.below(out.size());
  const size_t line = out.rfind('\n', at) + 1;  // npos + 1 is 0
  const size_t end = std::min(out.find('\n', at), out.size() - 1) + 1;
  constexpr std::string_view kBytes = "0123456789+-:;, \nax\t\x80";
  const char byte = kBytes[rng.below(kBytes.size())];
  switch (rng.below(6)) {
    case 0:
      out[at] = byte;
      break;
    case 1:
      out.erase(at, 1);
      break;
    case 2:
      out.insert(at, 1, byte);
      break;
    case 3:
      out.erase(std::min(line, at), end - std::min(line, at));
      break;
    case 4:
      out.insert(end, out.substr(std::min(line, at), end - std::min(line, at)));
      break;
    default:
      out.resize(at);
  }
  return out;
}

/// Spoils every entry of the kind so many times. What `read` makes of a text must be an InternalError that
/// names file and line, or nothing: then the accident made another good entry.
template <typename Read>
void expect_spoilt_texts_are_refused(const StoredKind& kind, int rounds, Read read) {
  Rng rng(7);
  int refused = 0;
  int all = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(kind.folder)) continue;
    for (int round = 0; round < rounds; ++round) {
      const std::string text = spoilt_text(file.text, rng);
      ++all;
      try {
        read(StoredEntry(kind, file.path, text));
      } catch (const InternalError& error) {
        const std::string_view message = error.what();
        EXPECT_TRUE(message.starts_with(std::string(file.path) + ":")) << message;
        EXPECT_NE(message.find_first_of("0123456789", file.path.size()), std::string_view::npos) << message;
        ++refused;
      }
    }
  }
  EXPECT_GT(all, 0);
  EXPECT_GT(refused * 2, all) << "most accidents are noticed";
}

/// The reader's complaint about a text, or "".
template <typename Read>
std::string complaint(const StoredKind& kind, std::string_view text, Read read) {
  try {
    read(StoredEntry(kind, "data/some.txt", text));
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

}  // namespace quadrille
