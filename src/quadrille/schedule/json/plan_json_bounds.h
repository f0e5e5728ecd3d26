// The bounds of a plan file, and their witnesses, as they come out of the JSON form.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/schedule/bound_witness.h"
#include "quadrille/schedule/json/file_text.h"
#include "quadrille/schedule/json/plan_json_schema.h"
#include "quadrille/schedule/plan_file.h"

namespace quadrille::plan_json {

/// Takes what stands in `bounds`, event by event, and passes over what is none of it. A mistake is an InputError without a place: whoever reads the text
/// knows where it is.
class BoundsReader {
 public:
  /// A bracket, at this byte of the text.
  void open(Key key, In inside, size_t offset);
  /// The bracket is closed, after so many elements.
  void close(In inside, uint64_t count);
  /// A value; it is the element `place` of what is open.
  void number(Key key, uint64_t place, uint64_t value);
  void text(Key key, const std::string& value);

  /// When the topology is there, which may come after the bounds.
  void check(const Topology& topology, FileText text) const;
  [[nodiscard]] std::vector<PlanBound> take() { return std::move(bounds_); }

 private:
  template <typename Kind>
  Kind& witness() {
    return std::get<Kind>(*bounds_.back().witness);
  }
  void set(BoundWitness witness);
  void end_weight(In inside, uint64_t count);

  std::vector<PlanBound> bounds_;
  std::vector<size_t> witnesses_at_;   // per bound, where in the text its witness is
  std::array<uint32_t, 3> numbers_{};  // of the weight that is being read
};

}  // namespace quadrille::plan_json
