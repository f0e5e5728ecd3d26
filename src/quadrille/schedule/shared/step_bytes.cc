#include "quadrille/schedule/shared/step_bytes.h"

#include <array>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// How much a step has of what its view shows, and that, every list from a whole word on.
constexpr size_t kWord = 8;

size_t whole_words(size_t bytes) { return (bytes + kWord - 1) / kWord * kWord; }

template <typename T>
void append(std::span<const T> values, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  bytes.resize(whole_words(bytes.size()));
}

}  // namespace

void append_step(const StepView& step, std::string& bytes) {
  const std::array<uint64_t, 6> sizes{step.all_arcs.size(),   step.arcs_end.size(), step.all_blocks.size(),
                                      step.blocks_end.size(), step.ops.size(),      step.slots.size()};
  append(std::span<const uint64_t>(sizes), bytes);
  append(step.all_arcs, bytes);
  append(step.arcs_end, bytes);
  append(step.all_blocks, bytes);
  append(step.blocks_end, bytes);
  append(step.ops, bytes);
  append(step.slots, bytes);
}

template <typename T>
std::span<const T> StepsInBytes::some(uint64_t count) {
  const size_t bytes = whole_words(count * sizeof(T));
  QUADRILLE_CHECK(bytes <= bytes_.size(), "steps of another build");
  const std::span<const T> out(reinterpret_cast<const T*>(bytes_.data()), count);
  bytes_.remove_prefix(bytes);
  return out;
}

StepView StepsInBytes::next() {
  const std::span<const uint64_t> sizes = some<uint64_t>(6);
  StepView out{};
  out.all_arcs = some<ArcId>(sizes[0]);
  out.arcs_end = some<uint32_t>(sizes[1]);
  out.all_blocks = some<BlockId>(sizes[2]);
  out.blocks_end = some<uint32_t>(sizes[3]);
  out.ops = some<TransferOp>(sizes[4]);
  out.slots = some<SumSlots>(sizes[5]);
  return out;
}

}  // namespace quadrille
