#include "quadrille/schedule/shared/shared_plan.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/base/crew/crew.h"
#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/shared/step_bytes.h"

namespace quadrille {
namespace {

// How steps are kept apart, which a plan without steps cannot say.
struct SharedSynchronisation {
  bool ports = true;
  std::vector<uint32_t> barriers{};
  std::vector<uint32_t> signals{};     // four numbers each
  std::vector<uint32_t> priorities{};  // likewise

  static SharedSynchronisation of(const PlanSynchronisation& stated) {
    SharedSynchronisation out{stated.ports, stated.barriers};
    const auto number = [](NodeId node) { return static_cast<uint32_t>(index(node)); };
    for (const Signal& s : stated.signals)
      out.signals.insert(out.signals.end(), {number(s.from), s.after_step, number(s.to), s.before_step});
    for (const Priority& p : stated.priorities)
      out.priorities.insert(out.priorities.end(), {p.step, p.level, number(p.from), number(p.to)});
    return out;
  }
  [[nodiscard]] PlanSynchronisation stated() const {
    PlanSynchronisation out{.ports = ports, .barriers = barriers};
    for (const uint32_t* s = signals.data(); s != signals.data() + signals.size(); s += 4)
      out.signals.push_back({NodeId{s[0]}, s[1], NodeId{s[2]}, s[3]});
    for (const uint32_t* p = priorities.data(); p != priorities.data() + priorities.size(); p += 4)
      out.priorities.push_back({p[0], p[1], NodeId{p[2]}, NodeId{p[3]}});
    return out;
  }

  friend void fields(auto& io, SharedSynchronisation& sync) {
    io(sync.ports, sync.barriers, sync.signals, sync.priorities);
  }
};

// What came of reading: the head as a plan without steps, or why there is none.
struct SharedHead {
  std::optional<std::string> error{};
  std::string text{};
  std::optional<SharedSynchronisation> synchronisation{};

  friend void fields(auto& io, SharedHead& head) { io(head.error, head.text, head.synchronisation); }
};

// How it ended.
struct SharedEnd {
  std::optional<std::string> error{};
  bool head_was_whole = true;

  friend void fields(auto& io, SharedEnd& end) { io(end.error, end.head_was_whole); }
};

}  // namespace

SharedPlan::SharedPlan(Crew& crew, ReadPlanSteps read, GraphFiles files)
    : crew_(crew), read_(std::move(read)), files_(files) {
  if (crew_.me() == 0) stream_ = std::make_unique<PlanStream>(read_);
  share_head();
}

void SharedPlan::share_head() {
  SharedHead mine;
  if (crew_.me() == 0) {
    try {
      std::optional<std::string> before_steps;
      if (stream_) before_steps = stream_->wait_for_head();
      if (before_steps) {
        mine.text = *std::move(before_steps);
      } else {
        PlanFile file = stream_ ? std::move(stream_->file()) : read_(nullptr);
        stream_.reset();
        plan_ = std::move(file.plan);
        head_ = static_cast<PlanHead&&>(file);
        PlanHead without = *head_;
        if (without.synchronisation)
          mine.synchronisation = SharedSynchronisation::of(*std::exchange(without.synchronisation, {}));
        mine.text = plan_head_text(without);
      }
    } catch (const InputError& error) {
      mine.error = error.what();
    }
  }
  const std::vector<std::string> said = crew_.gather(crew_.me() == 0 ? packed(mine) : std::string());
  const auto known = unpacked<SharedHead>(said.front());
  if (known.error) throw InputError(*known.error);
  // The thread that reads has a network of its own, too.
  if (crew_.me() > 0 || stream_) {
    head_ = read_plan_json(known.text, "the plan", files_);
    if (known.synchronisation) head_->synchronisation = known.synchronisation->stated();
  }
}

bool SharedPlan::replay(StepSink& sink) {
  const bool is_first = crew_.me() == 0;
  const size_t steps = plan_.num_steps();
  size_t next = 0;
  std::string bytes;
  while (true) {
    if (stream_) {
      bytes = stream_->next();
    } else {
      bytes.clear();
      for (; is_first && next < steps && bytes.size() < kStepBytesAtOnce; ++next)
        append_step(plan_.step(next), bytes);
    }
    const std::string_view said = crew_.from_first(bytes);
    if (said.empty()) break;
    for (StepsInBytes some(is_first ? std::string_view(bytes) : said); !some.is_over();)
      sink.push(some.next());
  }
  SharedEnd mine;
  if (stream_) {
    try {
      mine.head_was_whole = stream_->head_was_whole();
    } catch (const InputError& error) {
      mine.error = error.what();
    }
  }
  const std::string end(crew_.from_first(is_first ? packed(mine) : std::string()));
  const auto known = unpacked<SharedEnd>(end);
  if (known.error) throw InputError(*known.error);
  if (known.head_was_whole) return true;
  stream_.reset();
  share_head();
  return false;
}

}  // namespace quadrille
