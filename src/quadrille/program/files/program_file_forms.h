// What the two forms of program files share: not for users.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quadrille/program/files/program_file.h"

namespace quadrille {

/// Why a version is not read; empty for one that is.
[[nodiscard]] std::string wrong_version(uint32_t version);

/// The words of a program that nobody has looked at yet. Its shape must be right: ranges within their arrays.
[[nodiscard]] std::string words_of_program(const ProgramFile& file);

/// The words of a JSON text. Throws InputError for what is not of the form; whether they are a program is for whoever
/// reads words.
[[nodiscard]] std::string words_of_json(std::string_view text, std::string_view source);

}  // namespace quadrille
