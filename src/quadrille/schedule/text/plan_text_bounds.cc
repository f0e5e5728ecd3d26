#include "quadrille/schedule/text/plan_text_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>

#include "quadrille/base/text.h"

namespace quadrille::plan_text {

void BoundLines::bound_line() {
  const size_t begin = lines_.here();
  const std::string_view line = lines_.rest();
  const size_t blank = line.find_last_of(" \t\r");
  const auto value = parse_rational(line.substr(blank == std::string_view::npos ? 0 : blank + 1));
  std::string_view name = line.substr(0, blank == std::string_view::npos ? 0 : blank);
  while (!name.empty() && is_blank(name.back())) name.remove_suffix(1);
  if (name.empty()) {
    lines_.fail(begin, line.size(),
                "a bound is a name and a number or fraction, like 'bound average_status 15/2'");
  }
  if (!value) {
    lines_.fail(begin + blank + 1, line.size() - blank - 1, no_such_bound(line.substr(blank + 1)));
  }
  bounds_.push_back({plain_name(name), *value});
}

void BoundLines::witness_line() {
  witnesses_at_.resize(bounds_.size(), lines_.here());
  const size_t begin = lines_.here();
  const std::string_view kind = lines_.word();
  if (bounds_.empty()) lines_.fail(begin, kind.size(), "a witness stands below the line of its bound");
  std::optional<BoundWitness>& witness = bounds_.back().witness;
  if (witness) lines_.fail(begin, kind.size(), "a bound has one witness; this is a second one");
  witnesses_at_.back() = begin;
  if (kind == "cut") {
    CutWitness cut;
    lines_.nodes("node", cut.nodes);
    std::ranges::sort(cut.nodes);
    witness = std::move(cut);
  } else if (kind == "node") {
    witness = NodeWitness{NodeId{lines_.next_number("a node")}};
  } else if (kind == "informed") {
    const NodeId node{lines_.next_number("a node")};
    witness = InformedWitness{node, lines_.next_number("a number of hops")};
  } else if (kind == "weights") {
    witness = WeightsWitness{};
  } else if (kind == "refutation") {
    witness = RefutationWitness{lines_.next_number("a number of steps"), {}};
  } else if (kind == "sends") {
    witness = SendsWitness{lines_.next_number("a number of steps")};
  } else if (kind == "times") {
    TimesWitness cut;
    for (lines_.skip_blanks(); !lines_.at_end(); lines_.skip_blanks()) {
      cut.times.push_back(lines_.next_number("a time"));
    }
    witness = std::move(cut);
  } else if (kind == "between") {
    BetweenWitness among;
    lines_.nodes("node", among.nodes);
    std::ranges::sort(among.nodes);
    witness = std::move(among);
  } else if (kind == "order") {
    OrderWitness order{lines_.next_number("a number of dimensions"), {}};
    for (lines_.skip_blanks(); !lines_.at_end(); lines_.skip_blanks())
      order.sides.push_back(lines_.next_number("a side"));
    witness = std::move(order);
  } else {
    lines_.fail(begin, std::max<size_t>(kind.size(), 1),
                fmt::format("a witness is one of {}", kWitnessKinds));
  }
  lines_.end_of_line("after a witness");
}

template <typename Kind>
Kind& BoundLines::open_witness(std::string_view line, std::string_view kind) {
  Kind* open =
      bounds_.empty() || !bounds_.back().witness ? nullptr : std::get_if<Kind>(&*bounds_.back().witness);
  if (open != nullptr) return *open;
  lines_.fail(lines_.here(), std::max<size_t>(lines_.rest().size(), 1),
              fmt::format("a line '{}' stands below a line 'witness {}'", line, kind));
}

void BoundLines::weight_line() {
  auto& weights = open_witness<WeightsWitness>("weight", "weights");
  const size_t begin = lines_.here();
  const std::string_view what = lines_.word();
  if (what == "link") {
    const NodeId tail{lines_.next_number("the first node of a link")};
    const NodeId head{lines_.next_number("the second node of a link")};
    weights.links.push_back({tail, head, lines_.next_number("a weight")});
  } else if (what == "sender" || what == "receiver") {
    const NodeId node{lines_.next_number("a node")};
    (what == "sender" ? weights.senders : weights.receivers)
        .push_back({node, lines_.next_number("a weight")});
  } else {
    lines_.fail(begin, std::max<size_t>(what.size(), 1),
                "what has a weight is a link, a sender or a receiver");
  }
  lines_.end_of_line("after a weight");
}

void BoundLines::lemma_line() {
  auto& lemmas = open_witness<RefutationWitness>("lemma", "refutation").lemmas;
  lemmas.emplace_back();
  for (lines_.skip_blanks(); !lines_.at_end(); lines_.skip_blanks()) {
    lemmas.back().push_back(lines_.next_number("a literal"));
  }
}

void BoundLines::check(const Topology& topology) const {
  for (size_t b = 0; b < bounds_.size(); ++b) {
    if (!bounds_[b].witness) continue;
    const auto mistake = find_mistake(*bounds_[b].witness, topology);
    if (mistake) lines_.fail_to_end_of_line(witnesses_at_[b], "witness: " + *mistake);
  }
}

}  // namespace quadrille::plan_text
