// What a plan file states of its problem, as it comes out of the JSON form: topology, collective and model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/schedule/counts/stated_counts.h"
#include "quadrille/schedule/json/file_text.h"
#include "quadrille/schedule/json/plan_json_schema.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/stated_topology.h"

namespace quadrille::plan_json {

/// Takes what stands in `topology`, `collective` and `model`, event by event, and passes over what is none of it. There a mistake
/// is an InputError without a place: whoever reads the text knows where it is. What contradicts something else is found when all
/// is there, and has the place where it was stated.
class ProblemReader {
 public:
  ProblemReader(FileText text, GraphFiles files) : text_(text), files_(files) {}

  /// A bracket.
  void open(In inside, Token token);
  /// The bracket is closed, after so many elements.
  void close(In inside, uint64_t count);
  /// A value; it is the element `place` of what is open.
  void number(Key key, uint64_t place, uint64_t value, Token token);
  void real(Key key, double value);
  void text(Key key, uint64_t place, const std::string& value, Token token);

  /// True if topology and collective have come: problem() can be asked.
  [[nodiscard]] bool is_stated() const { return topology_token_ && collective_has_come_; }
  /// The problem without the model that is stated, which may be still to come.
  [[nodiscard]] Problem without_model() const;
  /// The same with what has been stated of the model.
  [[nodiscard]] Problem with_model(const Problem& problem) const;

 private:
  void end_count(uint64_t count);
  void end_link(uint64_t count);
  [[nodiscard]] Topology topology() const;
  [[nodiscard]] NodeId root_in(const Topology& topology) const;
  [[nodiscard]] Problem counted(const Topology& topology) const;
  // Runs a part that knows nothing of this text, and says that its mistake is there.
  template <typename Act>
  void at(Token token, std::string_view place, Act act) const;

  FileText text_;
  GraphFiles files_;

  // What is stated, and where.
  StatedTopology topology_;
  std::optional<Token> topology_token_;
  Token spec_token_;
  bool spec_is_verbatim_ = false;  // not written with escapes
  Token nodes_token_;
  Token endpoints_token_;
  Token links_token_;
  std::vector<size_t> links_at_;
  Token labels_token_;

  bool collective_has_come_ = false;
  CollectiveKind kind_ = CollectiveKind::kBroadcast;
  Token kind_token_;
  std::optional<uint64_t> root_;
  Token root_token_;
  uint32_t pieces_ = 1;
  std::optional<Token> pieces_token_;
  std::vector<StatedCount> counts_;
  std::vector<size_t> counts_at_;

  Model model_;
  Token model_token_;

  std::array<uint32_t, 3> numbers_{};  // of the link or count that is being read
};

}  // namespace quadrille::plan_json
