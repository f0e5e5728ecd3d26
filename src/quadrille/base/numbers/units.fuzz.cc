// Any bytes either are a quantity or an InputError; what is read is a cost, and sizes rise.
#include "quadrille/base/numbers/units.h"

#include <algorithm>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/cost_number.h"

namespace {

template <typename Read>
void try_it(Read read) {
  try {
    read();
  } catch (const quadrille::InputError& error) {
    QUADRILLE_CHECK(std::string_view(error.what()).starts_with("fuzz: "), error.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quadrille;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_it([&] { QUADRILLE_CHECK(is_cost(parse_time(text, "fuzz").value), text); });
  try_it([&] { QUADRILLE_CHECK(is_cost(parse_time_per_byte(text, "fuzz").value), text); });
  const ExactBandwidth bandwidth = read_bandwidth(text);
  QUADRILLE_CHECK(bandwidth.wrong.empty() == (bandwidth.microbits > 0), text);
  try_it([&] { QUADRILLE_CHECK(!bytes_text(parse_bytes(text, "fuzz")).empty(), text); });
  try_it([&] {
    const std::vector<uint64_t> sizes = parse_byte_sizes(text, "fuzz");
    QUADRILLE_CHECK(!sizes.empty() && std::ranges::is_sorted(sizes, std::ranges::less_equal{}), text);
  });
  return 0;
}
