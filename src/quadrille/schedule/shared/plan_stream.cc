#include "quadrille/schedule/shared/plan_stream.h"

#include <utility>

#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/shared/step_bytes.h"

namespace quadrille {
namespace {

// Nobody wants the rest.
struct Cancelled {};

}  // namespace

std::string plan_head_text(const PlanHead& head) {
  std::string out;
  const auto writer = json_plan_writer(head, [&out](std::string_view part) { out += part; });
  writer->finish();
  return out;
}

PlanStream::PlanStream(ReadPlanSteps read) : read_(std::move(read)), thread_([this] { run(); }) {}

PlanStream::~PlanStream() {
  {
    const std::scoped_lock lock(mutex_);
    cancelled_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void PlanStream::run() {
  std::optional<PlanFile> file;
  std::exception_ptr error;
  try {
    file = read_(this);
    if (!bytes_.empty()) hand_over();
  } catch (const Cancelled&) {
  } catch (...) {
    error = std::current_exception();
  }
  {
    const std::scoped_lock lock(mutex_);
    file_ = std::move(file);
    error_ = error;
    over_ = true;
  }
  changed_.notify_all();
}

StepSink* PlanStream::steps_of(const PlanHead& head) {
  announced_ = head;
  std::string text = plan_head_text(head);
  {
    const std::scoped_lock lock(mutex_);
    head_ = std::move(text);
  }
  changed_.notify_all();
  return this;
}

void PlanStream::push(const StepView& step) {
  append_step(step, bytes_);
  if (bytes_.size() >= kStepBytesAtOnce) hand_over();
}

void PlanStream::hand_over() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return handed_.empty() || cancelled_; });
    if (cancelled_) throw Cancelled{};
    handed_.swap(bytes_);
  }
  bytes_.clear();
  changed_.notify_all();
}

std::optional<std::string> PlanStream::wait_for_head() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return head_ || over_; });
  return head_;
}

std::string PlanStream::next() {
  std::string out;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !handed_.empty() || over_; });
    out.swap(handed_);
  }
  changed_.notify_all();
  return out;
}

void PlanStream::wait_for_end(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [this] { return over_; });
}

PlanFile& PlanStream::file() {
  std::unique_lock lock(mutex_);
  wait_for_end(lock);
  if (error_) std::rethrow_exception(error_);
  return *file_;
}

bool PlanStream::head_was_whole() { return announced_ && *announced_ == static_cast<PlanHead&>(file()); }

}  // namespace quadrille
