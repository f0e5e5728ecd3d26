// quadrille-search: makes what data/ stores, and makes it again. data/README.md says how it is used.
#include <fmt/format.h>

#include <array>
#include <exception>
#include <filesystem>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "searches.h"

namespace quadrille::search_tool {
namespace {

constexpr std::array kSearches = {&broadcast_search, &exchange_search, &lattice_search, &refutation_search};

std::string help() {
  std::string out =
      "usage: quadrille-search COMMAND ...\n\n"
      "Looks for what is stored in data/, and prints an entry that is ready to be stored. The same words give the\n"
      "same entry with the same version of the solver.\n\n";
  for (const Search* search : kSearches) out += fmt::format("  {}\n", search->usage);
  out +=
      "  again FILE...             runs the command that each stored entry names, and compares: the same data, equal\n"
      "                            in figures, or what falls short (exit status 1)\n";
  return out;
}

const Search& find_search(std::string_view name) {
  for (const Search* search : kSearches) {
    if (search->name == name) return *search;
  }
  throw InputError(fmt::format(
      "no search is called '{}'; there are broadcast, exchange, lattice, refutation, and again", name));
}

// A file says its kind in its second line; the reader of that kind looks at the rest.
const Search& search_behind(const std::string& path, std::string_view text) {
  for (const Search* search : kSearches) {
    if (text.find(fmt::format("\nkind {}\n", search->kind().name)) != std::string_view::npos) return *search;
  }
  throw InputError(fmt::format("{} is no stored entry of a kind that is searched for", path));
}

// Makes the entry again; the comparison in words. `good` becomes false if it is not what it was.
std::string compared(const std::string& path, bool& good) {
  const std::string text = read_file(path);
  const Search& search = search_behind(path, text);
  const StoredEntry stored(search.kind(), path, text);
  const std::vector<std::string> words = split_words(stored.value("made-by"));
  if (words.size() < 2 || words[0] != "quadrille-search" || words[1] != search.name)
    return fmt::format("made by {}: nothing to make again", stored.value("made-by"));
  try {
    const Made made = search.make(std::span(words).subspan(2));
    const StoredEntry entry(search.kind(), "what was made", made.entry);
    if (const std::string lack = search.falls_short(stored, entry); !lack.empty()) {
      good = false;
      return "falls short: " + lack;
    }
    if (entry.data() != stored.data()) return "equal in figures";
    if (!stored.has("proof")) return "the same data";
    const std::filesystem::path proof = std::filesystem::path(path).replace_filename(stored.value("proof"));
    return read_file(proof.string()) == made.proof ? "the same proof" : "another proof";
  } catch (const NothingFound& nothing) {
    good = false;
    return nothing.what();
  }
}

int again(std::span<const std::string> paths) {
  if (paths.empty()) throw InputError("which entries? again FILE...");
  bool good = true;
  for (const std::string& path : paths) std::cout << path << ": " << compared(path, good) << std::endl;
  return good ? 0 : 1;
}

int run(std::vector<std::string> words) {
  if (words.empty() || words[0] == "--help") {
    std::cout << help();
    return words.empty() ? 2 : 0;
  }
  const std::string name = words[0];
  words.erase(words.begin());
  if (name == "again") return again(words);
  std::string proof;
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != "--proof") continue;
    proof = words[i + 1];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i),
                words.begin() + static_cast<std::ptrdiff_t>(i) + 2);
    break;
  }
  const Made made = find_search(name).make(words);
  if (!proof.empty()) {
    if (made.proof.empty()) throw InputError("--proof: only a refutation has a proof");
    write_file(proof, made.proof);
  }
  std::cout << made.entry;
  return 0;
}

}  // namespace
}  // namespace quadrille::search_tool

int main(int argc, char** argv) {
  using namespace quadrille;
  try {
    return search_tool::run({argv + 1, argv + argc});
  } catch (const search_tool::NothingFound& nothing) {
    std::cerr << "quadrille-search: " << nothing.what() << "\n";
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "quadrille-search: " << error.what() << "\n";
    return 2;
  }
}
