#include "quadrille/schedule/shared/shared_plan.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/crew/crew.h"
#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan_json.h"

namespace quadrille {
namespace {

// About so many go at once; more take memory, fewer take time to hand out.
constexpr size_t kBytesAtOnce = size_t{1} << 22U;

// What came of reading: the head as a plan without steps, or why there is none.
struct SharedHead {
  std::optional<std::string> error{};
  std::string text{};

  friend void fields(auto& io, SharedHead& head) { io(head.error, head.text); }
};

// Steps, one behind the other: how much each has of what its view shows, and that, every list from a whole word on.
constexpr size_t kWord = 8;

size_t whole_words(size_t bytes) { return (bytes + kWord - 1) / kWord * kWord; }

template <typename T>
void append(std::span<const T> values, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  bytes.resize(whole_words(bytes.size()));
}

void append(const StepView& step, std::string& bytes) {
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

// What append() has written, where it lies: a crew keeps what is said where any number may be.
class SharedSteps {
 public:
  explicit SharedSteps(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool is_over() const { return bytes_.empty(); }
  StepView next() {
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

 private:
  template <typename T>
  std::span<const T> some(uint64_t count) {
    const size_t bytes = whole_words(count * sizeof(T));
    QUADRILLE_CHECK(bytes <= bytes_.size(), "steps of another build");
    const std::span<const T> out(reinterpret_cast<const T*>(bytes_.data()), count);
    bytes_.remove_prefix(bytes);
    return out;
  }

  std::string_view bytes_;
};

std::string text_of(const PlanHead& head) {
  std::string out;
  const auto writer = json_plan_writer(head, [&out](std::string_view part) { out += part; });
  writer->finish();
  return out;
}

}  // namespace

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
  const bool is_first = crew_.me() == 0;
  const size_t steps = plan_.num_steps();
  size_t next = 0;
  std::string bytes;
  while (true) {
    const size_t begin = next;
    bytes.clear();
    for (; is_first && next < steps && bytes.size() < kBytesAtOnce; ++next) append(plan_.step(next), bytes);
    const std::string_view said = crew_.from_first(bytes);
    if (said.empty()) return;
    if (is_first) {
      for (size_t s = begin; s < next; ++s) sink.push(plan_.step(s));
    } else {
      for (SharedSteps some(said); !some.is_over();) sink.push(some.next());
    }
  }
}

}  // namespace quadrille
