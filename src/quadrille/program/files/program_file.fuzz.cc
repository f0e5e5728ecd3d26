// Any bytes either are an InputError or a program that is written and read again as the same program. The digest is put
// right first, or no mutant would come past it.
#include "quadrille/program/files/program_file.h"

#include <algorithm>
#include <optional>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/program/program_digest.h"

namespace {

uint32_t word(const std::string& bytes, size_t at) {
  uint32_t out = 0;
  for (size_t b = 0; b < 4; ++b)
    out |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[at * 4 + b])) << (8 * b);
  return out;
}

void set_word(std::string& bytes, size_t at, uint64_t value) {
  for (size_t b = 0; b < 4; ++b) bytes[at * 4 + b] = static_cast<char>(value >> (8 * b) & 255U);
}

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quadrille;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.size() < 64) return 0;
  bytes.resize(bytes.size() / 4 * 4);
  // Slots without end only cost the fuzzer memory.
  if (word(bytes, 8) > 64) return -1;
  const size_t words = bytes.size() / 4;
  for (uint64_t r = 0; r <= word(bytes, 7) && word(bytes, 15) + r < words; ++r) {
    const uint64_t part = word(bytes, word(bytes, 15) + r);
    if (part + 3 < words && word(bytes, part + 3) > 1U << 16U) return -1;
  }
  set_word(bytes, 3, bytes.size() / 4);
  Digest digest;
  for (size_t at = 6; at < bytes.size() / 4; ++at) digest.add(uint64_t{word(bytes, at)});
  set_word(bytes, 4, digest.value() & UINT32_MAX);
  set_word(bytes, 5, digest.value() >> 32U);
  std::optional<ProgramFile> file;
  try {
    file = read_program(bytes, "fuzz.qprog");
  } catch (const InputError&) {
    return 0;
  }
  const std::string again = write_program(*file);
  QUADRILLE_CHECK(read_program(again, "again.qprog") == *file, "");
  // The same bytes come back from the other form, but for names that are no text.
  if (is_ascii(file->topology) && is_ascii(file->algorithm))
    QUADRILLE_CHECK(write_program(read_program(write_program_json(*file), "again.json")) == again, "");
  return 0;
}
