#include "quadrille/compile/stated_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "quadrille/base/text.h"
#include "quadrille/schedule/stated_topology.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace {

void check_figures(const StatedFigures& stated, const Figures& figures, StatedCheck& check) {
  const auto compare = [&](std::string_view what, const std::optional<uint64_t>& figure, uint64_t found) {
    if (!figure || *figure == found) return;
    check.falsehoods.push_back(fmt::format("{}: the plan states {}, the judge counts {}", what,
                                           with_thousands(*figure), with_thousands(found)));
  };
  compare("steps", stated.steps, figures.steps);
  compare("start-ups", stated.start_ups, figures.start_ups);
  compare("busiest link", stated.busiest_link, figures.busiest_link);
  compare("critical blocks", stated.critical_blocks, figures.critical_blocks);
}

struct Words {
  std::string operator()(const CutWitness& cut) const {
    return fmt::format("a cut of {}", plural(cut.nodes.size(), "node"));
  }
  std::string operator()(const NodeWitness& at) const { return fmt::format("node {}", index(at.node)); }
  std::string operator()(const InformedWitness& from) const {
    return fmt::format("who can have heard of node {}", index(from.node));
  }
  std::string operator()(const WeightsWitness&) const { return "weights"; }
  std::string operator()(const RefutationWitness& refutation) const {
    return fmt::format("a refutation of {}", plural(refutation.lemmas.size(), "lemma"));
  }
  std::string operator()(const SendsWitness& sends) const {
    return fmt::format("what can be sent in {} that is new to somebody", plural(sends.steps, "step"));
  }
  std::string operator()(const TimesWitness&) const { return "a cut through nodes and steps"; }
  std::string operator()(const BetweenWitness& among) const {
    return fmt::format("when {} send and receive what they have for each other",
                       plural(among.nodes.size(), "endpoint"));
  }
  std::string operator()(const OrderWitness& order) const {
    return fmt::format("the order of coordinates, cut {} of {} dimensions from one end", order.cut,
                       order.sides.size());
  }
};

class BoundCheck {
 public:
  BoundCheck(const PlanHead& file, const Figures& figures, std::span<const Bound> bounds, StatedCheck& check)
      : file_(file), figures_(figures), bounds_(bounds), check_(check) {}

  void look_at(const PlanBound& stated) {
    const Bound* here = bound_here(stated.name);
    const bool on_blocks = here != nullptr && here->on == BoundOn::kCriticalBlocks;
    const uint64_t counted = on_blocks ? figures_.critical_blocks : figures_.steps;
    const std::string says = fmt::format("bound {}: the plan says {}", stated.name, stated.value.to_string());
    if (stated.value > Rational::of(Int128{counted}, 1)) {
      check_.falsehoods.push_back(fmt::format(
          "{}, and beats it itself, with {}", says,
          on_blocks ? plural(counted, "block") + " on the critical path" : plural(counted, "step")));
      return;
    }
    if (stated.witness) return look_at_witness(*stated.witness, stated.value, says);
    if (bound_catalog().find(stated.name) == nullptr) {
      check_.unchecked.push_back(says + "; not checked: no bound of that name is known here");
      return;
    }
    if (here != nullptr && here->value == stated.value) return;
    const std::string found =
        here != nullptr ? "it is " + here->value.to_string() : "it is silent on this problem";
    if (structure_is_known()) {
      check_.falsehoods.push_back(fmt::format("{}, {}", says, found));
    } else {
      check_.unchecked.push_back(
          fmt::format("{}; not checked: without a spec of the network {}", says,
                      here != nullptr ? "its structure is not known, and " + found : found));
    }
  }

 private:
  // Steps are whole: a witness that proves 15/2 proves 8.
  void look_at_witness(const BoundWitness& witness, const Rational& value, const std::string& says) {
    const Rational proved = proved_by(file_.problem, witness);
    const bool enough = proved.ceil() >= value.ceil();
    (enough ? check_.proved : check_.falsehoods)
        .push_back(fmt::format("{}, {} its witness, {}, proves {}", says, enough ? "and" : "but",
                               std::visit(Words(), witness), enough ? "it" : proved.to_string()));
  }

  // Null where it is silent, or not known.
  [[nodiscard]] const Bound* bound_here(std::string_view name) const {
    const auto at = std::ranges::find(bounds_, name, &Bound::name);
    return at == bounds_.end() ? nullptr : &*at;
  }

  // Looked at only when it matters: it builds the network once more.
  bool structure_is_known() {
    if (!known_) known_ = name_suffices(file_.problem.topology());
    return *known_;
  }

  const PlanHead& file_;
  const Figures& figures_;
  std::span<const Bound> bounds_;
  StatedCheck& check_;
  std::optional<bool> known_{};
};

}  // namespace

StatedCheck check_stated(const PlanHead& file, const Figures& figures, std::span<const Bound> bounds) {
  StatedCheck check;
  check_figures(file.stated_figures, figures, check);
  BoundCheck check_bound(file, figures, bounds, check);
  for (const PlanBound& stated : file.bounds) check_bound.look_at(stated);
  return check;
}

std::string stated_text(const StatedCheck& check) {
  std::string out;
  for (const std::string& sentence : check.falsehoods) out += sentence + "\n";
  for (const std::string& sentence : check.unchecked) out += sentence + "\n";
  return out;
}

}  // namespace quadrille
