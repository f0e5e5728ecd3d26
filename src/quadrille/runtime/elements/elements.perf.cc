// Goal: sums of float, double and integers run at the speed of memory: at half of memcpy's rate or better in the cache
// (three streams instead of two), whole blocks of 64 KiB. Numbers of sixteen bits are converted, at 0.2 GB/s or better.
//
// Every benchmark checks an element of its result.
#include <benchmark/benchmark.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "quadrille/runtime/elements/elements.h"

namespace quadrille {
namespace {

constexpr size_t kBytes = size_t{1} << 16U;

void combine(benchmark::State& state, const char* type, const char* op) {
  const Elements elements{parse_element_type(type), parse_element_operator(op)};
  const Reduction& reduction = reduction_of(elements);
  std::vector<std::byte> into(kBytes, std::byte{0});
  const std::vector<std::byte> from(kBytes, std::byte{0});
  for (auto _ : state) {
    reduction.apply(into.data(), from.data(), kBytes);
    benchmark::ClobberMemory();
  }
  if (into != from) throw std::logic_error("zeroes combined are no zeroes");
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kBytes));
}

void copy(benchmark::State& state) {
  std::vector<std::byte> into(kBytes);
  const std::vector<std::byte> from(kBytes, std::byte{1});
  for (auto _ : state) {
    std::memcpy(into.data(), from.data(), kBytes);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kBytes));
}

BENCHMARK(copy)->Name("reduction/memcpy");
BENCHMARK_CAPTURE(combine, float_sum, "float", "sum")->Name("reduction/float_sum");
BENCHMARK_CAPTURE(combine, double_sum, "double", "sum")->Name("reduction/double_sum");
BENCHMARK_CAPTURE(combine, float_max, "float", "max")->Name("reduction/float_max");
BENCHMARK_CAPTURE(combine, int8_sum, "int8", "sum")->Name("reduction/int8_sum");
BENCHMARK_CAPTURE(combine, int32_band, "int32", "band")->Name("reduction/int32_band");
BENCHMARK_CAPTURE(combine, int64_prod, "int64", "prod")->Name("reduction/int64_prod");
BENCHMARK_CAPTURE(combine, bfloat16_sum, "bfloat16", "sum")->Name("reduction/bfloat16_sum");
BENCHMARK_CAPTURE(combine, half_sum, "half", "sum")->Name("reduction/half_sum");
BENCHMARK_CAPTURE(combine, float_compose, "float", "compose")->Name("reduction/float_compose");

}  // namespace
}  // namespace quadrille
