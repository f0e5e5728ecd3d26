// The lines 'bound', 'witness', 'weight' and 'lemma' of a plan in text form.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/schedule/bound_witness.h"
#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/text/text_lines.h"

namespace quadrille::plan_text {

/// Reads the rest of each of these lines, in the order of the text; a witness is of the bound above it.
class BoundLines {
 public:
  explicit BoundLines(TextLines& lines) : lines_(lines) {}

  void bound_line();
  void witness_line();
  void weight_line();
  void lemma_line();

  /// When the topology is there.
  void check(const Topology& topology) const;
  [[nodiscard]] std::vector<PlanBound> take() { return std::move(bounds_); }

 private:
  template <typename Kind>
  Kind& open_witness(std::string_view line, std::string_view kind);

  TextLines& lines_;
  std::vector<PlanBound> bounds_;
  std::vector<size_t> witnesses_at_;  // per bound, where its witness is
};

}  // namespace quadrille::plan_text
