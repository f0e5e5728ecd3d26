// How a plan file says that steps are kept apart, as it comes out of the JSON form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/schedule/json/file_text.h"
#include "quadrille/schedule/json/plan_json_schema.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/plan_synchronisation.h"

namespace quadrille::plan_json {

/// Takes what stands in `synchronisation`, event by event, and passes over what is none of it. A mistake is an
/// InputError without a place: whoever reads the text knows where it is.
class SynchronisationReader {
 public:
  /// A bracket, at this byte of the text.
  void open(In inside, size_t offset);
  void number(Key key, uint64_t value, size_t offset);
  void text(Key key, const std::string& value);

  /// When all steps are there.
  void check(const Topology& topology, const Plan& plan, FileText text) const;
  [[nodiscard]] std::optional<PlanSynchronisation> take() { return std::move(stated_); }

 private:
  std::optional<PlanSynchronisation> stated_;
  std::vector<size_t> barriers_at_;  // where in the text each is: which steps exist is known in the end
  std::vector<size_t> signals_at_;
  std::vector<size_t> priorities_at_;
};

}  // namespace quadrille::plan_json
