#include "quadrille/options/fault_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"

namespace quadrille {

std::vector<std::string> lines_of_file(const std::string& path) {
  std::vector<std::string> out;
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);) {
    line.resize(std::min(line.find('#'), line.size()));
    line.resize(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty()) out.push_back(line);
  }
  return out;
}

std::vector<std::string> fault_words(std::span<const std::string> given) {
  std::vector<std::string> out;
  for (const std::string& word : given) {
    if (!word.starts_with("@")) {
      out.push_back(word);
      continue;
    }
    const std::vector<std::string> lines = lines_of_file(word.substr(1));
    if (lines.empty())
      throw InputError(
          fmt::format("--without {}: the file has no line with a fault, such as link A B", word));
    out.insert(out.end(), lines.begin(), lines.end());
  }
  return out;
}

}  // namespace quadrille
