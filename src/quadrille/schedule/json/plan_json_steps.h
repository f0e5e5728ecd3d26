// The steps of a plan file, as they come out of the JSON form.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/schedule/json/plan_json_schema.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille::plan_json {

/// Takes what stands in `steps`, event by event, and passes over what is none of it. A mistake is an InputError without a place:
/// whoever reads the text knows where it is.
class StepsReader {
 public:
  /// Before the first step; the problem lives as long as there are steps.
  void begin(const Problem& problem) { problem_ = &problem; }

  /// A bracket.
  void open(In inside);
  /// The bracket of a path, a block or a list of slots is closed, after so many elements.
  void close(In inside, uint64_t count);
  void end_transfer() { step_.add(arcs_, blocks_, op_, slots_); }
  void end_step(StepSink& sink) { step_.flush(sink); }

  /// A value; it is the element `place` of what is open.
  void number(Key key, uint64_t place, uint64_t value);
  /// null in a path: a node that does not exist.
  void no_node() { nodes_.push_back(kNoNode); }
  void op(const std::string& word);

 private:
  void add_node(uint64_t value);
  [[nodiscard]] uint32_t slot_number(uint64_t value) const;
  [[nodiscard]] bool is_reduction() const { return problem_->collective().flow() == Flow::kCombine; }

  const Problem* problem_ = nullptr;
  StepBuilder step_;

  // Of the transfer that is being read.
  std::vector<NodeId> nodes_;
  std::vector<ArcId> arcs_;
  std::vector<BlockId> blocks_;
  TransferOp op_ = TransferOp::kDefault;
  SumSlots slots_{};
  std::array<uint32_t, 3> numbers_{};  // of its block
};

}  // namespace quadrille::plan_json
