#include "quadrille/schedule/json/plan_json_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"

namespace quadrille::plan_json {
namespace {

constexpr const char* kInformedForm = "a witness of this kind is [node, hops]";

}  // namespace

void BoundsReader::set(BoundWitness witness) {
  if (bounds_.back().witness) throw InputError("a witness is one thing; this is a second one");
  bounds_.back().witness = std::move(witness);
}

void BoundsReader::open(Key key, In inside, size_t offset) {
  if (inside == In::kBound) {
    bounds_.emplace_back();
    witnesses_at_.push_back(offset);
  }
  if (inside == In::kWitness) witnesses_at_.back() = offset;
  if (inside == In::kLemma) witness<RefutationWitness>().lemmas.emplace_back();
  if (key != Key::kWitnessKind) return;
  if (inside == In::kWitnessCut) return set(CutWitness{});
  if (inside == In::kWitnessInformed) return set(InformedWitness{});
  if (inside == In::kWitnessWeights) return set(WeightsWitness{});
  if (inside == In::kWitnessTimes) return set(TimesWitness{});
  if (inside == In::kWitnessBetween) return set(BetweenWitness{});
  if (inside == In::kWitnessOrder) return set(OrderWitness{});
  set(RefutationWitness{});
}

void BoundsReader::close(In inside, uint64_t count) {
  switch (inside) {
    case In::kLinkWeight:
    case In::kSenderWeight:
    case In::kReceiverWeight:
      return end_weight(inside, count);
    case In::kWitnessCut:
      std::ranges::sort(witness<CutWitness>().nodes);
      return;
    case In::kWitnessBetween:
      std::ranges::sort(witness<BetweenWitness>().nodes);
      return;
    case In::kWitnessOrder:
      if (count == 0) throw InputError("a witness of this kind is [cut, side, side, ..]");
      return;
    case In::kWitnessInformed:
      if (count != 2) throw InputError(kInformedForm);
      witness<InformedWitness>() = {NodeId{numbers_[0]}, numbers_[1]};
      return;
    case In::kWitness:
      if (!bounds_.back().witness) throw InputError(fmt::format("a witness is one of {}", kWitnessKinds));
      return;
    default:
      return;
  }
}

void BoundsReader::end_weight(In inside, uint64_t count) {
  auto& weights = witness<WeightsWitness>();
  if (inside == In::kLinkWeight) {
    if (count != 3) throw InputError("the weight of a link is [tail, head, weight]");
    weights.links.push_back({NodeId{numbers_[0]}, NodeId{numbers_[1]}, numbers_[2]});
    return;
  }
  if (count != 2) throw InputError("the weight of a node is [node, weight]");
  (inside == In::kSenderWeight ? weights.senders : weights.receivers)
      .push_back({NodeId{numbers_[0]}, numbers_[1]});
}

void BoundsReader::number(Key key, uint64_t place, uint64_t value) {
  switch (key) {
    case Key::kBoundValue:
      bounds_.back().value = Rational::of(Int128{value}, 1);
      return;
    case Key::kCutNode:
      witness<CutWitness>().nodes.push_back(NodeId{small_number(value, "a node")});
      return;
    case Key::kWitnessNode:
      return set(NodeWitness{NodeId{small_number(value, "a node")}});
    case Key::kWitnessSends:
      return set(SendsWitness{small_number(value, "a number of steps")});
    case Key::kInformedNumber:
      if (place >= 2) throw InputError(kInformedForm);
      numbers_[place] = small_number(value, "a number of a witness");
      return;
    case Key::kBetweenNode:
      witness<BetweenWitness>().nodes.push_back(NodeId{small_number(value, "a node")});
      return;
    case Key::kOrderNumber:
      if (place == 0)
        witness<OrderWitness>().cut = small_number(value, "a number of dimensions");
      else
        witness<OrderWitness>().sides.push_back(small_number(value, "a side"));
      return;
    case Key::kTime:
      witness<TimesWitness>().times.push_back(small_number(value, "a time"));
      return;
    case Key::kWeightNumber:
      if (place >= numbers_.size()) throw InputError("a weight is [tail, head, weight] or [node, weight]");
      numbers_[place] = small_number(value, "a number of a weight");
      return;
    case Key::kRefutedSteps:
      witness<RefutationWitness>().steps = small_number(value, "a number of steps");
      return;
    case Key::kLiteral:
      witness<RefutationWitness>().lemmas.back().push_back(small_number(value, "a literal"));
      return;
    default:
      return;
  }
}

void BoundsReader::text(Key key, const std::string& value) {
  if (key == Key::kBoundName) {
    if (value.empty()) throw InputError("a bound needs a name");
    bounds_.back().name = plain_name(value);
  }
  if (key != Key::kBoundValue) return;
  const std::optional<Rational> bound = parse_rational(value);
  if (!bound) throw InputError(no_such_bound(value));
  bounds_.back().value = *bound;
}

void BoundsReader::check(const Topology& topology, FileText text) const {
  for (size_t b = 0; b < bounds_.size(); ++b) {
    if (!bounds_[b].witness) continue;
    const auto mistake = find_mistake(*bounds_[b].witness, topology);
    if (!mistake) continue;
    text.fail_at({witnesses_at_[b]}, fmt::format("bounds[{}].witness", b), *mistake);
  }
}

}  // namespace quadrille::plan_json
