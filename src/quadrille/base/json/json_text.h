// The words of JSON: strings and numbers as text, for whoever writes a file as it comes.
//
//     append_json_string(out, "a\tb");    // "a\tb", in quotes
//     append_json_number(out, 0.1);       // 0.1
//
// A whole tree of values is printed by json.h.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// In quotes, with quotes, backslashes and control characters escaped; all other characters stand for
/// themselves. What is not UTF-8 becomes U+FFFD: one for each longest part that could have begun a character.
void append_json_string(std::string& out, std::string_view text);
[[nodiscard]] std::string json_string(std::string_view text);

/// The shortest text that reads as the same number, always with a point or an exponent: 0.5, 1.0, 1e-09,
/// 1e+20. JSON knows no infinity: what is not finite is null.
void append_json_number(std::string& out, double value);

}  // namespace quadrille
