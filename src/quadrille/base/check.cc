#include "quadrille/base/check.h"

#include <fmt/format.h>

namespace quadrille {

void check_failed(std::string_view condition, std::string_view values, const char* file, int line) {
  const std::string_view path = file;
  const size_t start = path.rfind("quadrille/");
  throw InternalError(fmt::format("{}:{}: check failed: {} ({})",
                                  start == std::string_view::npos ? path : path.substr(start), line,
                                  condition, values));
}

}  // namespace quadrille
