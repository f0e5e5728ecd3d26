// PlanStream: a plan file that a thread reads while somebody else uses its steps.
//
//     PlanStream stream(read);
//     stream.wait_for_head();                              // what stands before the steps, or all of it
//     while (!(bytes = stream.next()).empty()) ...          // step_bytes.h
//     stream.file();                                       // what was read in the end; its mistakes
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/plan_listener.h"

namespace quadrille {

/// About so many go at once; more take memory, fewer take time to hand out.
inline constexpr size_t kStepBytesAtOnce = size_t{1} << 22U;

/// The head as a plan without steps, in JSON.
[[nodiscard]] std::string plan_head_text(const PlanHead& head);

/// Reads a plan file; steps go where the listener says. Without one (null) they are stored.
using ReadPlanSteps = std::function<PlanFile(PlanListener* listener)>;

class PlanStream final : private PlanListener, private StepSink {
 public:
  explicit PlanStream(ReadPlanSteps read);
  PlanStream(const PlanStream&) = delete;
  PlanStream& operator=(const PlanStream&) = delete;
  /// A thread that still reads ends with its next step.
  ~PlanStream() override;

  /// The head that stands before the steps, in JSON; nothing where these are stored instead, or could not be read: file() is next then.
  [[nodiscard]] std::optional<std::string> wait_for_head();
  /// Some of the steps; empty: there are no more.
  [[nodiscard]] std::string next();
  /// Once all was read. Throws what reading has thrown.
  [[nodiscard]] PlanFile& file();
  /// Whether the head of file() is the one that stood before the steps.
  [[nodiscard]] bool head_was_whole();

 private:
  StepSink* steps_of(const PlanHead& head) override;
  void passed(size_t) override {}
  void push(const StepView& step) override;
  void hand_over();
  void run();
  void wait_for_end(std::unique_lock<std::mutex>& lock);

  ReadPlanSteps read_;
  // Of the thread that reads.
  std::string bytes_;
  std::optional<PlanHead> announced_;
  // Of both.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::string> head_;
  std::string handed_;
  bool cancelled_ = false;
  bool over_ = false;
  std::optional<PlanFile> file_;
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses all of the others
};

}  // namespace quadrille
