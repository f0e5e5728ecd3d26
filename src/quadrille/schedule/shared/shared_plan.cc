#include "quadrille/schedule/shared/shared_plan.h"

#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/crew/crew.h"
#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan_json.h"

namespace quadrille {
namespace {

// So many ids go at once; more take memory, fewer take time to hand out.
constexpr size_t kIdsAtOnce = size_t{1} << 20U;

// What came of reading: the head as a plan without steps, or why there is none.
struct SharedHead {
  std::optional<std::string> error{};
  std::string text{};

  friend void fields(auto& io, SharedHead& head) { io(head.error, head.text); }
};

struct SharedStep {
  std::vector<ArcId> arcs{};
  std::vector<uint32_t> arcs_end{};
  std::vector<BlockId> blocks{};
  std::vector<uint32_t> blocks_end{};
  std::vector<TransferOp> ops{};
  std::vector<SumSlots> slots{};

  friend void fields(auto& io, SharedStep& step) {
    io(step.arcs, step.arcs_end, step.blocks, step.blocks_end, step.ops, step.slots);
  }
};

template <typename T>
std::vector<T> copy_of(std::span<const T> values) {
  return {values.begin(), values.end()};
}

SharedStep shared(const StepView& step) {
  return {copy_of(step.all_arcs),   copy_of(step.arcs_end), copy_of(step.all_blocks),
          copy_of(step.blocks_end), copy_of(step.ops),      copy_of(step.slots)};
}

StepView view(const SharedStep& step) {
  return {step.arcs, step.arcs_end, step.blocks, step.blocks_end, step.ops, step.slots};
}

std::string text_of(const PlanHead& head) {
  std::string out;
  const auto writer = json_plan_writer(head, [&out](std::string_view part) { out += part; });
  writer->finish();
  return out;
}

}  // namespace

void fields(auto& io, SumSlots& slots) { io(slots.from, slots.to); }

SharedPlan::SharedPlan(Crew& crew, const std::function<PlanFile()>& read, GraphFiles files) : crew_(crew) {
  SharedHead mine;
  if (crew.me() == 0) {
    try {
      PlanFile file = read();
      plan_ = std::move(file.plan);
      head_ = static_cast<PlanHead&&>(file);
      mine.text = text_of(*head_);
    } catch (const InputError& error) {
      mine.error = error.what();
    }
  }
  const std::vector<std::string> said = crew.gather(crew.me() == 0 ? packed(mine) : std::string());
  const auto known = unpacked<SharedHead>(said.front());
  if (known.error) throw InputError(*known.error);
  if (crew.me() > 0) head_ = read_plan_json(known.text, "the plan", files);
}

void SharedPlan::replay(StepSink& sink) const {
  const size_t steps = plan_.num_steps();
  size_t next = 0;
  while (true) {
    std::vector<SharedStep> some;
    for (size_t ids = 0; next < steps && ids < kIdsAtOnce; ++next) {
      some.push_back(shared(plan_.step(next)));
      ids += some.back().arcs.size() + some.back().blocks.size() + 1;
    }
    const std::vector<std::string> said = crew_.gather(crew_.me() == 0 ? packed(some) : std::string());
    if (crew_.me() > 0) some = unpacked<std::vector<SharedStep>>(said.front());
    if (some.empty()) return;
    for (const SharedStep& step : some) sink.push(view(step));
  }
}

}  // namespace quadrille
