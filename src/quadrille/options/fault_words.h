// Faults as --without names them: one of them, or "@FILE" with one a line.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace quadrille {

/// Those of the file in the place of "@FILE". Throws InputError for a file that names none.
[[nodiscard]] std::vector<std::string> fault_words(std::span<const std::string> given);

/// The lines of a file that say something, without remarks.
[[nodiscard]] std::vector<std::string> lines_of_file(const std::string& path);

}  // namespace quadrille
