#include "quadrille/cli/report/grouped.h"

#include <algorithm>

namespace quadrille {

std::string grouped(std::string_view number) {
  const size_t sign = number.starts_with('-') ? 1 : 0;
  const size_t end = std::min(number.find('.'), number.size());
  std::string out;
  for (size_t i = 0; i < number.size(); ++i) {
    if (i > sign && i < end && (end - i) % 3 == 0) out += ',';
    out += number[i];
  }
  return out;
}

}  // namespace quadrille
