#include "quadrille/schedule/json/file_text.h"

#include <fmt/format.h>

#include <string>

#include "quadrille/base/input_error.h"

namespace quadrille::plan_json {

void FileText::fail_at(Token where, std::string_view place, std::string_view message) const {
  throw input_error_at(source, text, where.begin, where.length,
                       place.empty() ? std::string(message) : fmt::format("{}: {}", place, message));
}

}  // namespace quadrille::plan_json
