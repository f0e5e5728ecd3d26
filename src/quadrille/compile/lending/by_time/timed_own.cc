#include "quadrille/compile/lending/by_time/timed_own.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/text.h"
#include "quadrille/base/threads/thread_team.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice_cost.h"
#include "quadrille/compile/lending/by_time/pieces_beside.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

// More pieces than these are good for hardly anything.
constexpr uint64_t kMostPieces = 512;
constexpr uint64_t kMostBlocks = uint64_t{1} << 24U;
// Deliveries that are made and counted in a moment.
constexpr uint64_t kMostCounted = uint64_t{1} << 20U;
// Nodes up to which a search takes a moment, so that what it finds is named where others are faster, too.
constexpr uint32_t kSearchedSoon = 16;
// Nodes beyond which a search takes seconds, and longer in more pieces.
constexpr uint32_t kSearchedInSeconds = 72;
// What these must save of the time.
constexpr double kWorthMorePieces = 0.01;
constexpr double kHardlyFewer = 0.02;
// Above the bound: what may be left is not searched for in more pieces.
constexpr double kNotWorthASearch = 0.0025;
// Those of plans that are kept for other sizes.
constexpr uint64_t kMostKept = uint64_t{1} << 15U;

// Whether a message is one vector that all have to do with, so that pieces follow each other through the network.
bool is_vector(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce ||
         kind == CollectiveKind::kAllreduce;
}

uint64_t deliveries(const Problem& problem, uint64_t pieces) {
  const Collective& collective = problem.collective();
  const uint64_t blocks = collective.block_count() / collective.pieces() * pieces;
  return collective.flow() == Flow::kMove ? blocks : blocks * collective.num_ranks();
}

// What a rank sends fills its links to the last step: 12 links take 12 pieces of a vector at once, or, of 12 pieces for each of 7
// others, all in 7 steps.
uint64_t pieces_that_fill_links(const Problem& problem) {
  const Model& model = problem.model();
  const uint64_t ranks = problem.collective().num_ranks();
  uint64_t fewest = links_of_endpoints(problem.topology()).first;
  constexpr uint64_t kMostLinks = 64;
  // A message fills a wide link by itself, whatever there are of ports, and in every step, however many blocks go together.
  if (shares_arcs(model) && has_wide_arcs(problem.topology())) return fewest > kMostLinks ? 1 : fewest;
  for (const Ports ports : {model.send, model.receive})
    if (!ports.unlimited()) fewest = std::min<uint64_t>(fewest, ports.count);
  if (ranks < 2 || fewest > kMostLinks) return 1;
  if (is_vector(problem.collective().kind())) return std::has_single_bit(fewest) ? 1 : fewest;
  return fewest / std::gcd(fewest, ranks - 1);
}

// One card, asked in one number of pieces after another.
class Asking {
 public:
  Asking(const Algorithm& card, size_t number, const Problem& one, uint64_t bytes, const OwnCards& wanted)
      : card_(card), number_(number), one_(one), bytes_(bytes), wanted_(wanted) {}

  // In one piece, and in as few as it is good in: those of its plans that take work to know, or the others alone.
  // `known`: what others take.
  void begin(bool much, double known) {
    much_ = much;
    defers_ = !wanted_.all_efforts;
    begin_stage(known);
    if (wanted_.pieces != 0) {
      try_count(wanted_.pieces);
      return;
    }
    const bool vector = is_vector(one_.collective().kind());
    if (!wanted_.all_efforts && card_.chunks == nullptr) {
      try_count(1);
      return;
    }
    const Chunking chunks = card_.chunks == nullptr ? Chunking{} : card_.chunks(one_);
    unit_ = chunks.unit;
    streams_ = chunks.streams;
    const uint32_t ranks = one_.collective().num_ranks();
    add_chain(1, vector ? kMostPieces : 4, known);
    if (unit_ > 1) add_chain(unit_, streams_ ? kMostPieces * unit_ : unit_, known);
    if (vector && ranks > 1 && unit_ == 1) add_chain(ranks, ranks, known);
    if (const uint64_t fill = pieces_that_fill_links(one_); fill > 1)
      add_chain(fill, vector ? kMostPieces : 4 * fill, known);
  }

  // What takes some work to know, of those numbers, now that others have said what they take.
  void begin_with_some(double known) {
    begin_stage(known);
    defers_ = false;
    for (const Waiting& waiting : std::exchange(waiting_, {})) {
      Attempt& attempt = tried_[waiting.plan->problem().collective().pieces()];
      consider(waiting, attempt);
      for (Chain& chain : chains_)
        if (chain.first == waiting.plan->problem().collective().pieces()) chain.last = attempt;
    }
  }

  // In twice as many, as long as that helps, or may yet.
  void go_on(double known) {
    if (much_ && known <= wanted_.least * (1 + kNotWorthASearch)) return;
    begin_stage(known);
    stage_ = Stage::kGoesOn;
    const uint64_t factor = wanted_.all_efforts ? 2 : 8;  // of large networks less is asked
    const bool is_one_stream = streams_ || is_vector(one_.collective().kind());
    for (const Chain& chain : chains_) {
      Attempt last = chain.last;
      // Blocks that go their own ways do not come sooner in more pieces where fewer take less time already.
      if (much_ && !is_one_stream && best_ && last.time > time_for(*best_, bytes_)) continue;
      // What a long search of blocks finds in four times as many is hardly ever worth it.
      const uint64_t most =
          takes_long() && !is_one_stream ? std::min(chain.most, 2 * chain.first) : chain.most;
      double least_rest = last.rest / kMostSaved;
      double best_here = last.time;
      uint32_t in_vain = 0;
      for (uint64_t pieces = chain.first * factor; pieces <= most && in_vain < (much_ ? 1U : 2U);
           pieces *= factor) {
        if (last.start_ups != kNever && last.start_ups + least_rest >= known) break;
        const Attempt now = try_count(pieces);
        if (now.is_left_out) continue;
        // In a pipeline the rest is X (a / pieces + b): what is left in ever more pieces is X b. Where they do no good
        // yet, or have not filled it, nothing is said of that.
        const double share = static_cast<double>(factor);
        const bool is_filling = !much_ && streams_ && pieces < kFilled * unit_;
        if (last.start_ups == kNever || now.start_ups == kNever || is_filling) {
          least_rest = now.rest / kMostSaved;
        } else if (now.rest < last.rest) {
          least_rest = std::max(0.0, (share * now.rest - last.rest) / (share - 1)) *
                       (much_ ? kSlackOfSearches : kSlack);
        }
        last = now;
        in_vain = last.time < best_here ? 0 : in_vain + 1;
        best_here = std::min(best_here, last.time);
      }
    }
  }

  // In some that lie between; around the best of these once more.
  void refine(double known) {
    begin_stage(known);
    stage_ = Stage::kRefines;
    if (!is_vector(one_.collective().kind()) && !streams_) return;
    look_between(known);
    look_beside_best(known);
  }

  [[nodiscard]] std::optional<Choice>& best() { return best_; }

 private:
  void look_between(double known) {
    const auto try_quarters = [&](uint64_t pieces, const QuartersOfPieces& numbers) {
      const uint64_t unit = pieces % unit_ == 0 ? unit_ : 1;
      for (const uint64_t quarters : numbers) try_count(pieces / unit * quarters / 4 * unit);
    };
    uint64_t around = 0;
    for (uint32_t turn = 0; turn < 2; ++turn) {
      if (!best_ || wanted_.pieces != 0 || time_for(*best_, bytes_) > known * kNearTheFastest) return;
      const uint64_t pieces = best_->plan->problem().collective().pieces();
      if (pieces == around || (much_ && deliveries(one_, 2 * pieces) > kMostKept)) return;
      around = pieces;
      // Of large networks every eighth number was asked.
      if (turn == 0 && !wanted_.all_efforts && (streams_ || unit_ == 1 || pieces % unit_ != 0)) {
        try_quarters(pieces, kBetweenEighths);
        around = best_->plan->problem().collective().pieces();
      }
      try_quarters(around, kBetweenHalves);
    }
  }

  enum class Stage : uint8_t { kBegins, kGoesOn, kRefines };

  // What becomes of it in ever more pieces: start-ups do not get fewer, and the rest is at best parted.
  struct Attempt {
    double time = kNever;  // of the fastest plan
    double start_ups = kNever;
    double rest = 0;
    bool is_left_out = false;      // of a plan it is known alone that it takes longer than others
    bool leaves_some_out = false;  // of a family
  };
  struct Chain {
    uint64_t first;
    uint64_t most;
    Attempt last;
  };
  struct Waiting {
    PreparedPlan plan;
    std::optional<SaidByCards::Said>& said;
  };
  static constexpr double kMostSaved = 16;
  static constexpr double kSlack = 0.9;
  static constexpr double kSlackOfSearches = 0.8;  // which fill a pipeline by fits and starts
  static constexpr uint64_t kFilled = 32;

  void begin_stage(double known) {
    of_no_use_ = known;
    const bool may_take_long = card_.is_asked_last && one_.topology().num_nodes() > kSearchedSoon;
    if (wanted_.all_named && !may_take_long)
      of_no_use_ = best_ ? std::max(known, time_for(*best_, bytes_)) : kNever;
  }

  [[nodiscard]] bool takes_long() const {
    return card_.is_asked_last && one_.topology().num_nodes() > kSearchedInSeconds;
  }

  // As much is of no use, but where it may be in fewer pieces; what takes long in more of them must save something.
  [[nodiscard]] WorthMaking::LessTime less_time(const Problem& problem) const {
    const bool may_be_fewer = problem.collective().pieces() > 1 && wanted_.pieces == 0;
    const double part = !may_be_fewer ? 1 - 1e-9 : (takes_long() ? 1 - kWorthMorePieces : 1 + 1e-9);
    return quadrille::less_time(problem, bytes_, of_no_use_ * part);
  }

  // Steps of which so many take too long; each takes a start-up, and carries a chunk.
  [[nodiscard]] uint64_t too_many_steps(const WorthMaking::LessTime& time) const {
    const double step = time.of_start_up + time.of_round;
    if (step <= 0 || of_no_use_ == kNever) return UINT64_MAX;
    const double steps = std::ceil(time.than / step);
    return steps < 1e9 ? static_cast<uint64_t>(steps) : UINT64_MAX;
  }

  void look_beside_best(double known) {
    if (!much_ || !streams_ || !takes_paths(one_.model()) || !best_ || wanted_.pieces != 0) return;
    if (time_for(*best_, bytes_) > known * kNearTheFastest) return;
    look_beside(best_->plan->problem().collective().pieces(), bytes_, [&](uint64_t pieces) {
      const double before = time_for(*best_, bytes_);
      try_count(pieces);
      return time_for(*best_, bytes_) < before;
    });
  }

  void add_chain(uint64_t first, uint64_t most, double known) {
    if (!chains_.empty() && chains_.front().last.start_ups != kNever &&
        chains_.front().last.start_ups >= known)
      return;
    chains_.push_back({first, most, try_count(first)});
  }

  Attempt try_count(uint64_t pieces) {
    if (const auto known = tried_.find(pieces); known != tried_.end()) return known->second;
    return tried_[pieces] = try_new(pieces);
  }

  Attempt try_new(uint64_t pieces) {
    if (pieces == 0 || pieces > std::max<uint64_t>(1, bytes_)) return {};
    if (pieces > 1 && one_.collective().block_count() * pieces > kMostBlocks) return {};
    if (much_ && pieces > unit_ && deliveries(one_, pieces) > kMostCounted) return {};
    try {
      return take(in_pieces(one_, static_cast<uint32_t>(pieces)));
    } catch (const InputError&) {
      return {};  // more blocks than can be numbered
    }
  }

  // Of the search for balanced paths every step is a round; what stays above the bound in one piece stays there in two, but for the
  // part of a step.
  [[nodiscard]] bool is_in_vain(const Problem& problem) const {
    if (!much_ || !takes_long() || problem.collective().kind() != CollectiveKind::kAlltoall) return false;
    const double steps = wanted_.least_rounds * problem.collective().pieces();
    const WorthMaking::LessTime time = less_time(problem);
    const double part = problem.collective().pieces() > 1 && wanted_.pieces == 0 ? 1 - kHardlyFewer : 1;
    return steps * (time.of_start_up + time.of_round) >= time.than * part;
  }

  Attempt take(const Problem& problem) {
    Attempt out;
    out.is_left_out = is_in_vain(problem);
    if (out.is_left_out) return out;
    const uint32_t pieces = problem.collective().pieces();
    SaidByCards::Plans& known =
        wanted_.said == nullptr ? said_here_[pieces] : wanted_.said->of(number_, pieces);
    std::vector<std::optional<SaidByCards::Said>>& said = known.members;
    Preparation ready;
    if (!known.asked || !std::ranges::all_of(said, [](const auto& one) { return one && one->plan; })) {
      ready = prepare_serving(card_, problem);
      known.asked = true;
      if (!ready.fits.applies) return out;
      said.resize(ready.plans.size());
    }
    for (size_t i = 0; i < said.size(); ++i) {
      const PreparedPlan& plan = said[i] && said[i]->plan ? said[i]->plan : ready.plans[i];
      if ((plan->effort() == Effort::kMuch) != much_) continue;
      if (defers_ && !said[i] && plan->effort() == Effort::kSome)
        waiting_.push_back({plan, said[i]});
      else
        consider({plan, said[i]}, out);
    }
    return out;
  }

  // One plan, whose problem is in some number of pieces.
  void consider(const Waiting& one, Attempt& out) {
    const PreparedPlan& plan = one.plan;
    const Problem& problem = plan->problem();
    if (!one.said) {
      const Prediction prediction = predicted(*plan, problem);
      // Not for this size: for another one it may be worth its search.
      if (!prediction.steps && !prediction.start_ups) {
        if (is_asked_for_start_ups()) return;
        // Of a family the member that is left out may be the one with few start-ups.
        out = {.time = out.time, .is_left_out = out.time == kNever, .leaves_some_out = true};
        return;
      }
      const bool is_kept = deliveries(problem, problem.collective().pieces()) <= kMostKept;
      one.said = SaidByCards::Said{prediction, false, is_kept ? plan : nullptr};
    }
    Choice choice{&card_, "", one.said->prediction, plan->member(), plan};
    if (!one.said->completed) {
      complete(choice);
      one.said->prediction = choice.prediction;
      one.said->completed = true;
    }
    const double time = time_for(choice, bytes_);
    if (time == kNever) return;
    const double start_ups =
        time_of(problem.model().cost, {.start_ups = *choice.prediction.start_ups}, bytes_);
    out.time = std::min(out.time, time);
    out.is_left_out = false;
    if (start_ups < out.start_ups && !out.leaves_some_out) out = {out.time, start_ups, time - start_ups};
    if (best_ && !is_faster(choice, *best_, bytes_)) return;
    if (one_.topology().num_nodes() > kSearchedSoon) of_no_use_ = std::min(of_no_use_, time);
    best_ = std::move(choice);
  }

  // Whether what is left out has too many start-ups in any number of pieces.
  [[nodiscard]] bool is_asked_for_start_ups() const {
    return stage_ == Stage::kBegins && is_asked_for_streams();
  }
  [[nodiscard]] bool is_asked_for_streams() const {
    return !much_ && !wanted_.all_efforts && (streams_ || is_vector(one_.collective().kind()));
  }

  // Nothing of a search that is sure to end in vain; of large networks nothing that takes a moment, either. What streams may be
  // better in more pieces, but for its start-ups.
  [[nodiscard]] Prediction predicted(Prepared& plan, const Problem& problem) const {
    const LooksForBest alone;
    if (!much_ && wanted_.all_efforts) return plan.prediction();
    WorthMaking::LessTime time = less_time(problem);
    if (is_asked_for_start_ups()) {
      time.of_round = 0;
      const WorthMaking wanted(UINT64_MAX, !wanted_.all_named, time);
      return plan.prediction();
    }
    // In numbers that lie between it may be faster yet.
    if (stage_ == Stage::kGoesOn && is_asked_for_streams()) time.than *= kNearTheFastest;
    const uint64_t steps = too_many_steps(time);
    // On few nodes plans that take longer are looked at, too: compacted, some take less.
    if (one_.topology().num_nodes() <= kSearchedSoon) time.than = kNever;
    const WorthMaking wanted(steps, !wanted_.all_named, time);
    return plan.prediction();
  }

  // The figures that are read off the plan, where it is small.
  void complete(Choice& choice) const {
    Prediction& known = choice.prediction;
    const Problem& problem = choice.plan->problem();
    if (!known.start_ups) known.start_ups = known.steps;
    if (sends_single_packets(problem.model()) && !known.critical_blocks)
      known.critical_blocks = known.start_ups;
    if (known.start_ups && known.critical_blocks) return;
    if (!wanted_.all_efforts || shares_arcs(problem.model())) return;
    if (deliveries(problem, problem.collective().pieces()) > kMostCounted) return;
    MeasuredPlan measure(0);
    choice.generate(measure);
    const Prediction measured = measure.prediction();
    known.start_ups = measured.start_ups;
    known.critical_blocks = measured.critical_blocks;
    known.critical_hops = measured.critical_hops;
    if (!known.steps) known.steps = measured.steps;
  }

  const Algorithm& card_;
  size_t number_;
  const Problem& one_;
  uint64_t bytes_;
  const OwnCards& wanted_;
  bool much_ = false;
  Stage stage_ = Stage::kBegins;
  bool defers_ = false;        // what takes some work to know
  double of_no_use_ = kNever;  // what takes as long
  uint64_t unit_ = 1;
  bool streams_ = false;
  std::vector<Chain> chains_{};
  std::optional<Choice> best_{};
  std::map<uint64_t, Attempt> tried_{};
  std::map<uint32_t, SaidByCards::Plans> said_here_{};  // where nobody keeps it for other sizes
  std::vector<Waiting> waiting_{};
};

}  // namespace

void SaidByCards::make_room(size_t cards) {
  if (cards_.size() < cards) cards_.resize(cards);
}

bool SaidByCards::is_served_by(size_t card, uint32_t pieces) const {
  return card < cards_.size() && std::ranges::any_of(cards_[card], [pieces](const auto& known) {
           return (pieces == 0 || known.first == pieces) && !known.second.members.empty();
         });
}

std::string figures_in_words(const Choice& choice) {
  const Prediction& p = choice.prediction;
  const uint64_t start_ups = p.start_ups.value_or(p.steps.value_or(0));
  return fmt::format("{} and {} in {}", plural(start_ups, "start-up"),
                     plural(p.critical_blocks.value_or(start_ups), "round"),
                     plural(choice.plan->problem().collective().pieces(), "piece"));
}

double time_for(const Choice& choice, uint64_t message_bytes) {
  const Problem& problem = choice.plan->problem();
  const Prediction& known = choice.prediction;
  const std::optional<uint64_t> start_ups = known.start_ups ? known.start_ups : known.steps;
  const std::optional<uint64_t> rounds =
      known.critical_blocks || !sends_single_packets(problem.model()) ? known.critical_blocks : start_ups;
  if (!start_ups || !rounds) return kNever;
  return time_of(problem.model().cost, {.start_ups = *start_ups, .critical_blocks = *rounds},
                 chunk_bytes(problem, message_bytes));
}

WorthMaking::LessTime less_time(const Problem& problem, uint64_t message_bytes, double limit) {
  const CostConstants& cost = problem.model().cost;
  const uint64_t bytes = chunk_bytes(problem, message_bytes);
  return {.than = limit,
          .of_start_up = time_of(cost, {.start_ups = 1}, bytes),
          .of_round = time_of(cost, {.critical_blocks = 1}, bytes)};
}

bool is_faster(const Choice& a, const Choice& b, uint64_t message_bytes) {
  const double here = time_for(a, message_bytes);
  const double there = time_for(b, message_bytes);
  if (here < there * (1 - 1e-12)) return true;
  return here <= there * (1 + 1e-12) &&
         a.plan->problem().collective().pieces() < b.plan->problem().collective().pieces();
}

std::vector<Choice> own_by_time(const Problem& problem, uint64_t message_bytes, const OwnCards& wanted) {
  std::vector<const Algorithm*> cards;
  for (const Algorithm* card : algorithm_catalog())
    if (card->collective == problem.collective().kind()) cards.push_back(card);
  if (wanted.said != nullptr) wanted.said->make_room(cards.size());
  std::vector<Choice> out;
  double known = wanted.limit;
  ThreadTeam team(wanted.threads);
  const SearchWishes wishes = SearchLimits::now();
  KeptPaths* const kept_here = KeptPaths::of_this_thread();
  struct Turn {
    bool much;
    bool last;
  };
  for (const Turn& turn : {Turn{false, false}, Turn{true, false}, Turn{true, true}}) {
    if (turn.last && !wanted.asks_last) break;
    if (turn.much && (!wanted.all_efforts || !wanted.searches || known <= wanted.least * (1 + 1e-9))) break;
    std::vector<Asking> asking;
    for (size_t i = 0; i < cards.size(); ++i) {
      if (turn.much && cards[i]->is_asked_last != turn.last) continue;
      if (wanted.alike == nullptr || !wanted.alike->is_served_by(i, wanted.pieces))
        asking.emplace_back(*cards[i], i, problem, message_bytes, wanted);
    }
    // All of a stage know what came of the one before: so nothing depends on who is first.
    const auto stage = [&](const auto& work) {
      team.for_each(asking.size(), [&](size_t i) {
        const SharedFactorExchanges shared;
        const KeptPaths kept(kept_here);  // a card asks for single packets and for many
        const SearchLimits limits(wishes);
        work(asking[i]);
      });
      for (Asking& card : asking)
        if (card.best()) known = std::min(known, time_for(*card.best(), message_bytes));
    };
    stage([&, was = known](Asking& card) { card.begin(turn.much, was); });
    stage([&, was = known](Asking& card) { card.begin_with_some(was); });
    stage([&, was = known](Asking& card) { card.go_on(was); });
    stage([&, was = known](Asking& card) { card.refine(was); });
    for (Asking& card : asking)
      if (card.best()) out.push_back(*std::move(card.best()));
    // Of those that take as long the first of the catalog, whenever it was asked; before them what was known at once.
    const auto searched = std::stable_partition(
        out.begin(), out.end(), [](const Choice& choice) { return choice.plan->effort() != Effort::kMuch; });
    std::stable_sort(searched, out.end(),
                     [](const Choice& a, const Choice& b) { return a.algorithm->name < b.algorithm->name; });
    std::stable_sort(out.begin(), out.end(),
                     [&](const Choice& a, const Choice& b) { return is_faster(a, b, message_bytes); });
  }
  return out;
}

}  // namespace quadrille
