#include "quadrille/compile/lending/by_time/large_by_time.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/threads/both_at_once.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice_cost.h"
#include "quadrille/compile/lending/asked_key.h"
#include "quadrille/compile/lending/by_time/least_of_lenders.h"
#include "quadrille/compile/lending/by_time/loans_at_large.h"
#include "quadrille/compile/lending/by_time/pieces_beside.h"
#include "quadrille/compile/lending/by_time/timed_lending.h"
#include "quadrille/compile/lending/by_time/timed_own.h"
#include "quadrille/compile/lending/handed_on.h"
#include "quadrille/compile/lending/lent_plan.h"
#include "quadrille/compile/lending/loan.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostNodes = 8192;
// What a judge may need to follow all blocks of two halves.
constexpr Int128 kMostJudged = Int128{1} << 34U;
// Lenders of lenders, and no further.
constexpr uint32_t kDeepest = 2;
// What is so near the least time is good enough.
constexpr double kNearLeast = 0.001;
// Where all are neighbours whoever lends sends the same messages as the cards do.
constexpr double kNearLeastOfNeighbours = 0.025;
// An exchange of all at once is soon so near it, and searches of many seconds come hardly nearer.
constexpr double kNearLeastAtOnce = 0.01;
// Times the bound: what takes less is looked for before all others.
constexpr double kNearBound = 4;
// Times what a part of its blocks may take.
constexpr double kMoreForAll = 1.25;
// What another number of pieces must save.
constexpr double kWorthAnother = 0.02;
constexpr double kMostBatches = 512;
// Worms on more nodes are streamed in the pieces that a formula says, and in no others.
constexpr uint32_t kMostNodesBeside = 512;
// A card that does not serve so many pieces is asked for half of them, down to:
constexpr double kFewBatches = 16;
// Nodes times pieces of a stream, each of which is a transfer.
constexpr uint64_t kMostStreamed = uint64_t{1} << 22U;

bool has_few_ports(const Model& model) { return !model.send.unlimited() || !model.receive.unlimited(); }

// Whether what adds up and what sends out are one another, read backwards. Then an allreduce need not add up to one node and have that
// scatter and all gather: either the sum takes no less than the allgather, which backwards is the better first half, or it takes less,
// and backwards is the better second one.
bool goes_both_ways(const Problem& problem) {
  const Model& model = problem.model();
  return !problem.topology().is_directed() && model.send == model.receive &&
         model.combining == Operator::kCommutative && model.routing != Routing::kDimensionOrder;
}

double near_least_of(const Problem& problem) {
  if (is_complete(problem.topology())) return kNearLeastOfNeighbours;
  const bool is_at_once = problem.collective().kind() == CollectiveKind::kAlltoall &&
                          problem.model().switching == Switching::kShared;
  return is_at_once ? kNearLeastAtOnce : kNearLeast;
}

}  // namespace

struct LargeByTime::Search {
  // Of the same network.
  struct Question {
    Problem problem;  // in one piece
    uint64_t bytes = 0;
    double least = 0;          // no plan takes less
    uint32_t pieces = 0;       // 0: any
    bool is_reversed = false;  // whoever asks is the reversed one
    bool is_asked = false;     // its own cards are, by whoever asks
    bool is_half = false;      // of an allreduce, through one node
  };
  using SizedKey = std::tuple<AskedKey, uint64_t, uint32_t, bool, bool, uint32_t>;
  struct Known {
    std::optional<Choice> choice{};
    double limit = 0;  // whatever takes less has been looked for
  };

  // What a card streamed, if it did, and what it takes at least.
  struct Streamed {
    std::optional<Choice> choice{};
    double least = 0;
  };

  Search(const Problem& asked, unsigned at_most) : problem(asked), threads(at_most) {}

  // `is_asked`: its own cards are, by whoever asks.
  Question question_of(uint64_t bytes, bool is_asked) {
    if (message != bytes || own_are_asked != is_asked) answers.clear();
    message = bytes;
    own_are_asked = is_asked;
    if (!bound) bound.emplace(problem, all_bounds(problem));
    Question question{problem, bytes, (*bound)(bytes).time};
    question.is_asked = is_asked;
    return question;
  }

  void look_ahead(uint64_t bytes, double known) {
    const Question question = question_of(bytes, true);
    least_ahead = question.least;
    best(question, kDeepest, std::min(known, kNearBound * question.least));
    if (is_in_vain() || was_cut_short) answers.clear();  // some have not been looked for to the end
    was_cut_short = false;
    least_ahead.reset();
  }

  // Whether no plan takes less than what was found beside, or nobody asks any more.
  [[nodiscard]] bool is_in_vain() const {
    return (least_ahead && *least_ahead >= known_beside.load()) || is_cut.load() ||
           (beside_whom != nullptr && beside_whom->is_in_vain());
  }

  // While it looks ahead: whether what takes so long is no better than what was found beside.
  bool is_beaten_beside(double least) {
    if (!least_ahead || least < known_beside.load()) return false;
    was_cut_short = true;
    return true;
  }

  std::optional<Choice> best_for(uint64_t bytes, double known) {
    const Question question = question_of(bytes, known != kNever);
    if (is_enough(question, known)) return std::nullopt;
    // What is near the bound is looked for first: whatever takes longer then needs no look.
    if (const double near = kNearBound * question.least; near < known) {
      if (std::optional<Choice> found = best(question, kDeepest, near)) return found;
    }
    return best(question, kDeepest, known);
  }

  // Directed links make another network of the one that is asked backwards.
  [[nodiscard]] AskedKey key_of(const Problem& asked) const {
    const Topology& topology = asked.topology();
    return asked_key(asked, topology.is_directed() && !topology.same_graph(problem.topology()));
  }

  std::optional<Choice> best(const Question& question, uint32_t depth, double limit) {
    if (question.pieces > std::max<uint64_t>(1, question.bytes)) return std::nullopt;
    const auto [at, is_new] = answers.try_emplace({key_of(question.problem), question.bytes, question.pieces,
                                                   question.is_reversed, question.is_half, depth});
    Known& known = at->second;
    if (is_new || limit > known.limit) {
      known.limit = limit;
      std::optional<Choice> made = make(question, depth, limit);
      known.choice = std::move(made);
    }
    if (!known.choice || time_for(*known.choice, question.bytes) >= limit) return std::nullopt;
    return known.choice;
  }

  [[nodiscard]] bool is_enough(const Question& question, double time) const {
    return time <= question.least * (1 + near_least);
  }

  std::optional<Choice> make(const Question& question, uint32_t depth, double limit) {
    const double goal = question.least;
    if (goal >= limit || is_in_vain()) return std::nullopt;
    // Worms of long streams are placed one by one, so that whoever lends comes first; its cards have been asked.
    const bool comes_last = question.is_asked && takes_paths(question.problem.model());
    std::optional<Choice> found;
    const auto left = [&] { return found ? time_for(*found, question.bytes) : limit; };
    if (depth > 0 && !comes_last) {
      // So are sums on many trees, which take longer on large networks than what is first added up in parts, and that is known sooner.
      if (question.problem.collective().kind() == CollectiveKind::kAllreduce)
        take_in_turn(question, in_parts(question), depth, limit, found);
      if (std::optional<Choice> mine = best(question, 0, left())) found = std::move(mine);
    } else if (!question.is_asked) {
      found = own(question, limit);
    }
    if (depth == 0) {
      const bool searches = problem.topology().num_endpoints() <= kMostNodesOfSums;
      if (!is_enough(question, left())) stream(question, left(), found);
      if (searches && !is_enough(question, left())) search(question, left(), found);
      return found;
    }
    take_all(question, depth, limit, found);
    if (comes_last && !is_enough(question, left())) {
      if (std::optional<Choice> streamed_last = best(question, 0, left())) found = std::move(streamed_last);
    }
    return found;
  }

  // An allreduce's reduce_scatter and allgather.
  [[nodiscard]] std::vector<Loan> in_parts(const Question& question) const {
    std::vector<Loan> out = loans_at_large(question.problem, question.bytes, question.pieces);
    std::erase_if(out, [](const Loan& loan) { return loan.kind != LoanKind::kSum || is_up_and_down(loan); });
    return out;
  }

  // Who lends the same collective, on a weaker machine or the other way round, and who lends parts of it ask for different things: of
  // the problem itself both are looked at at once, each for what takes less than was known before them.
  void take_all(const Question& question, uint32_t depth, double limit, std::optional<Choice>& found) {
    std::vector<Loan> same = loans_at_large(question.problem, question.bytes, question.pieces);
    if (question.is_half) std::erase_if(same, &scatters_first);
    // Through few ports what is added up in parts spares whoever sends it whole most of their work; but long vectors that packets
    // send, or what shares links, as near the bound as can be.
    if (adds_up_in_parts_first(question)) {
      std::stable_partition(same.begin(), same.end(), [](const Loan& loan) { return lends_parts(loan); });
      take_in_turn(question, same, depth, limit, found);
      return;
    }
    // A problem and its reversed one ask the same lenders. What gathers or adds up may be what sends out, read backwards, whoever
    // lends that.
    if (question.is_reversed && !goes_outwards(question.problem.collective().kind()))
      std::erase_if(same, [](const Loan& loan) { return loan.kind == LoanKind::kReversed; });
    // Of long messages what the former find spares the latter most of their work.
    const bool is_alone = depth < kDeepest || is_beside ||
                          !is_short_vector(question.problem, question.bytes) ||
                          problem.topology().num_endpoints() > kMostNodesOfSums;
    const auto parts_begin =
        is_alone ? same.end() : std::stable_partition(same.begin(), same.end(), [](const Loan& loan) {
          return !lends_parts(loan);
        });
    const std::vector<Loan> of_parts(parts_begin, same.end());
    same.erase(parts_begin, same.end());
    if (same.empty() || of_parts.empty()) {
      take_in_turn(question, same.empty() ? of_parts : same, depth, limit, found);
      return;
    }
    const double known = found ? time_for(*found, question.bytes) : limit;
    if (is_enough(question, known)) return;
    const std::unique_ptr<Search> other = beside();
    std::optional<Choice> by_parts;
    is_beside = true;
    both_at_once(
        [&] {
          take_in_turn(question, same, depth, limit, found);
          if (found && is_enough(question, time_for(*found, question.bytes))) other->is_cut = true;
        },
        [&, by = HandedOn()] {
          const TakenOver here(by);
          const SharedFactorExchanges shared;
          other->take_in_turn(question, of_parts, depth, known, by_parts);
        });
    is_beside = false;
    if (found && is_enough(question, time_for(*found, question.bytes))) return;  // whatever the other one has
    take_over(*other);
    if (by_parts && time_for(*by_parts, question.bytes) < (found ? time_for(*found, question.bytes) : limit))
      found = std::move(by_parts);
  }

  static bool adds_up_in_parts_first(const Question& question) {
    const Problem& one = question.problem;
    const Model& model = one.model();
    if (one.collective().kind() != CollectiveKind::kAllreduce || !has_few_ports(model)) return false;
    return is_short_vector(one, question.bytes) ||
           (model.switching == Switching::kWormhole && model.send == kOnePort);
  }

  void take_in_turn(const Question& question, const std::vector<Loan>& from, uint32_t depth, double limit,
                    std::optional<Choice>& found) {
    const auto left = [&] { return found ? time_for(*found, question.bytes) : limit; };
    for (const Loan& loan : from) {
      if (is_enough(question, left())) break;
      take(question, loan, loan.kind == LoanKind::kReversed ? depth : depth - 1, left(), found);
    }
  }

  // For a thread beside, with what was answered here.
  [[nodiscard]] std::unique_ptr<Search> beside() const {
    auto out = std::make_unique<Search>(problem, threads);
    out->message = message;
    out->own_are_asked = own_are_asked;
    out->answers = answers;
    out->of_lenders = of_lenders;
    out->is_beside = true;
    out->beside_whom = this;
    return out;
  }
  void take_over(Search& from) {
    for (auto& [key, known] : from.answers) {
      const auto [at, is_new] = answers.try_emplace(key, known);
      if (!is_new && known.limit > at->second.limit) at->second = std::move(known);
    }
    of_lenders.take_over(from.of_lenders);
  }

  // What cards predict in a moment.
  std::optional<Choice> own(const Question& question, double limit) {
    std::vector<Choice> asked = own_by_time(question.problem, question.bytes,
                                            {.pieces = question.pieces,
                                             .limit = limit,
                                             .threads = threads,
                                             .all_efforts = false,
                                             .searches = false,
                                             .said = &said[key_of(question.problem)]});
    if (asked.empty() || time_for(asked.front(), question.bytes) >= limit) return std::nullopt;
    return std::move(asked.front());
  }

  // Cards that stream many packets have said there what they do with single ones.
  [[nodiscard]] bool is_asked_with_many(const Question& question) const {
    Model single = problem.model();
    single.packets = Packets::kOne;
    return problem.model().packets == Packets::kMany && question.problem.model() == single &&
           question.problem.collective().kind() == problem.collective().kind() && question.bytes == message;
  }

  // Many packets are served by what is for single ones.
  static bool serves(const Algorithm& card, const Problem& one, uint32_t pieces) {
    Model single = one.model();
    single.packets = Packets::kOne;
    return card.applies({one.topology(), in_pieces(one, pieces).collective(), single}).applies;
  }

  // Cards that stream a vector, and whose plans take work to know. p pieces on `unit` trees take p / unit steps and, h of
  // them, what one takes to the farthest node: (p / unit + h) (ts + bytes tx / p) is least for the square root of
  // h unit bytes tx / ts.
  void stream(const Question& question, double limit, std::optional<Choice>& found) {
    const Problem& one = question.problem;
    if (!moves_vector(one.collective().kind())) return;
    // Whoever sends out, or adds up, has streams of its own, which take half as long as those that do both.
    if (one.collective().kind() == CollectiveKind::kAllreduce &&
        problem.collective().kind() != CollectiveKind::kAllreduce)
      return;
    // Of worms that go up in so many pieces it was asked how they come down in them, so the answer is there.
    const bool is_split = question.pieces > 1 && takes_paths(one.model());
    if (question.pieces != 0 && !is_split) return;
    // Whoever asks backwards streams, too, but has no swarm of worms.
    const bool swarms_alone = question.is_reversed;
    if (swarms_alone && !takes_paths(one.model())) return;
    // So many worms take half a minute to place; packets lend to them.
    if (takes_paths(one.model()) && one.topology().num_endpoints() > kMostNodesOfSums) return;
    const NodeId root = one.topology().endpoint(one.collective().root().value_or(Rank{0}));
    const auto farthest = static_cast<double>(eccentricity(one.topology(), root));
    std::vector<Stream> streams;
    for (const Algorithm* card : algorithm_catalog()) {
      if (card->collective != one.collective().kind() || card->chunks == nullptr) continue;
      const Chunking chunks = card->chunks(one);
      if (!chunks.streams || (chunks.unit < 2 && !card->is_asked_last)) continue;
      if (swarms_alone && !card->is_asked_last) continue;
      if (is_asked_with_many(question) && card->chunks(problem).streams) continue;
      if (is_split && (question.pieces % chunks.unit != 0 || !serves(*card, one, question.pieces))) continue;
      // A port that is alone takes a piece in and sends it out, up and down.
      const bool is_there_and_back = one.collective().kind() == CollectiveKind::kAllreduce &&
                                     std::min(port_limit(one.topology(), one.model(), true),
                                              port_limit(one.topology(), one.model(), false)) == 1;
      Stream stream{card, chunks.unit / (is_there_and_back ? 2.0 : 1.0)};
      stream.batches = is_split ? question.pieces / stream.unit : batches_of(question, stream, farthest);
      streams.push_back(stream);
    }
    // Few pieces take less to look for, and what they come to may spare the others.
    std::ranges::stable_sort(streams, {}, [](const Stream& stream) { return stream.batches * stream.unit; });
    for (const Stream& stream : streams) {
      if (is_in_vain()) return;
      stream_by(question, stream, farthest, is_split, limit, found);
    }
  }

  struct Stream {
    const Algorithm* card;
    double unit;
    double batches = 0;  // at first
  };

  static double time_of_stream(const Question& question, const Stream& stream, double batches,
                               double behind) {
    const CostConstants& cost = question.problem.model().cost;
    return (batches + behind) *
           (cost.ts + static_cast<double>(question.bytes) * cost.tx / (batches * stream.unit));
  }

  // In which that takes least, if the card serves them.
  static double batches_of(const Question& question, const Stream& stream, double behind) {
    const Problem& one = question.problem;
    const CostConstants& cost = one.model().cost;
    const auto bytes = static_cast<double>(question.bytes);
    const double most = std::clamp(
        std::floor(static_cast<double>(kMostStreamed) / (stream.unit * one.topology().num_nodes())), 1.0,
        kMostBatches);
    const double wanted = cost.ts > 0 ? std::sqrt(behind * bytes * cost.tx / (cost.ts * stream.unit)) : bytes;
    double batches = std::clamp(std::round(wanted), 1.0, most);
    while (batches > kFewBatches && !serves(*stream.card, one, static_cast<uint32_t>(batches * stream.unit)))
      batches = std::floor(batches / 2);
    return batches;
  }

  // And once more in others, where what is behind the batches turns out to take longer, or less, than to the farthest node.
  void stream_by(const Question& question, const Stream& stream, double behind, bool is_split, double limit,
                 std::optional<Choice>& found) {
    double batches = stream.batches;
    double tried = 0;
    for (uint32_t turn = 0; turn < (is_split ? 1 : 2); ++turn) {
      if (turn > 0) batches = batches_of(question, stream, behind);
      const auto time_in = [&](double n) { return time_of_stream(question, stream, n, behind); };
      if (turn > 0 && time_in(batches) > std::min(limit, time_in(tried) * (1 - kWorthAnother))) break;
      tried = batches;
      const auto pieces = static_cast<uint64_t>(batches * stream.unit);
      if (pieces > question.bytes) break;
      if (found) limit = std::min(limit, time_for(*found, question.bytes));
      const std::optional<Choice> choice =
          stream_in(*stream.card, question.problem, pieces, question.bytes, limit);
      if (!choice) break;
      behind = std::max(1.0, static_cast<double>(*choice->prediction.start_ups) - batches);
      if (!found || is_faster(*choice, *found, question.bytes)) found = *choice;
    }
    if (found && found->algorithm == stream.card && !is_split) look_beside_best(question, *found);
  }

  // What a card streams in so many pieces, if it takes less than the limit.
  std::optional<Choice> stream_in(const Algorithm& card, const Problem& one, uint64_t pieces, uint64_t bytes,
                                  double limit) {
    // With single packets a card does what it does with many.
    AskedKey machine = key_of(one);
    machine.packets = Packets::kOne;
    Streamed& known = streamed[{&card, machine, pieces, bytes}];
    if (known.least >= limit) return std::nullopt;
    if (known.choice && known.choice->plan->problem().model() == one.model()) return known.choice;
    std::optional<Choice> choice = in(card, one, static_cast<uint32_t>(pieces), bytes, limit);
    known.least = std::max(known.least, choice ? time_for(*choice, bytes) : limit);
    known.choice = choice;
    return choice;
  }

  // Of worms, where that takes a moment.
  void look_beside_best(const Question& question, Choice& best) {
    const Problem& one = question.problem;
    const Algorithm& card = *best.algorithm;
    if (!takes_paths(one.model()) || !card.is_asked_last) return;
    if (one.topology().num_endpoints() > kMostNodesBeside) return;
    look_beside(best.plan->problem().collective().pieces(), question.bytes, [&](uint64_t pieces) {
      const std::optional<Choice> other =
          stream_in(card, one, pieces, question.bytes, time_for(best, question.bytes));
      if (!other || !is_faster(*other, best, question.bytes)) return false;
      best = *other;
      return true;
    });
  }

  // Cards that search for whole blocks. Whoever sends out has asked its own as it chose by steps; whoever reads that backwards has
  // not, nor have paths that packets lend an exchange, nor what goes together down a tree, a short vector, perhaps.
  void search(const Question& question, double limit, std::optional<Choice>& found) {
    const Problem& one = question.problem;
    const CollectiveKind kind = one.collective().kind();
    const bool lends_packets = kind == CollectiveKind::kAlltoall && !question.is_reversed &&
                               one.model().switching != problem.model().switching;
    // Nor has an allgather by worms asked those that are routed.
    const bool is_not_asked = question.is_reversed || (kind == CollectiveKind::kAllgather &&
                                                       question.is_asked && takes_paths(one.model()));
    const bool is_read_backwards = is_not_asked && kind != CollectiveKind::kAlltoall && !moves_vector(kind) &&
                                   (goes_outwards(kind) || kind == CollectiveKind::kGather);
    const bool is_tree = kind == CollectiveKind::kBroadcast && (question.pieces == 1 || question.is_reversed);
    if (question.pieces > 1 || (!lends_packets && !is_read_backwards && !is_tree)) return;
    if (of_lenders.time(one, question.bytes) >= limit) return;
    // The best bounds of an exchange take longer than its paths.
    const std::vector<Bound> bounds = lends_packets ? quick_bounds(one) : all_bounds(one);
    const double least = least_time(one, question.bytes, bounds).time;
    if (least >= limit || is_beaten_beside(least)) return;
    const auto fewest = static_cast<uint64_t>(best_of(bounds).value.ceil());
    const CostConstants& cost = one.model().cost;
    if (is_tree &&
        static_cast<double>(fewest) * (cost.ts + static_cast<double>(question.bytes) * cost.tx) >= limit)
      return;
    const WorthMaking wanted(UINT64_MAX, false, less_time(one, question.bytes, limit));
    std::optional<Choice> choice = choose_own(one, question.bytes, fewest, false);
    if (!choice) return;
    if (!choice->prediction.start_ups) choice->prediction.start_ups = choice->prediction.steps;
    if (time_for(*choice, question.bytes) != kNever && (!found || is_faster(*choice, *found, question.bytes)))
      found = std::move(choice);
  }

  // The card's best plan that takes work to know; its figures are known.
  // Nothing where it is sure to take as long as the limit.
  static std::optional<Choice> in(const Algorithm& card, const Problem& one, uint32_t pieces, uint64_t bytes,
                                  double limit) {
    try {
      const Problem split = in_pieces(one, pieces);
      const WorthMaking wanted(UINT64_MAX, true, less_time(split, bytes, limit));
      const Preparation ready = prepare_serving(card, split);
      std::optional<Choice> out;
      for (const PreparedPlan& plan : ready.plans) {
        if (!ready.fits.applies || plan->effort() != Effort::kMuch) continue;
        Choice choice{&card, "", plan->prediction(), plan->member(), plan};
        if (!choice.prediction.start_ups) choice.prediction.start_ups = choice.prediction.steps;
        if (!choice.prediction.start_ups || time_for(choice, 1) == kNever) continue;
        if (!out || is_faster(choice, *out, pieces)) out = std::move(choice);
      }
      return out;
    } catch (const InputError&) {
      return std::nullopt;  // more blocks than can be numbered
    }
  }

  // A packet at most over a link in every step.
  static bool sends_packet_by_packet(const Choice& choice) {
    const Prediction& known = choice.prediction;
    return known.start_ups && known.critical_blocks == known.start_ups;
  }

  void take(const Question& question, const Loan& loan, uint32_t depth, double limit,
            std::optional<Choice>& found) {
    if (is_up_and_down(loan)) {
      // Whole to one node; worms perhaps in pieces.
      take_in(1, question, loan, depth, limit, found);
      if (question.pieces == 0 && takes_paths(question.problem.model()))
        take_in(0, question, loan, depth, found ? std::min(limit, time_for(*found, question.bytes)) : limit,
                found);
      return;
    }
    take_in(question.pieces, question, loan, depth, limit, found);
    if (question.pieces != 0 || !scatters_first(loan)) return;
    // What is scattered in one piece is gathered sooner, perhaps, in the pieces that an allgather is good in.
    const Problem& gather = loan.lenders[1];
    const uint32_t ranks = question.problem.collective().num_ranks();
    Question there{in_pieces(gather, 1), (question.bytes + ranks - 1) / ranks};
    there.least = of_lenders.time(gather, there.bytes);
    if (found) limit = std::min(limit, time_for(*found, question.bytes));
    if (there.least >= limit) return;
    const std::optional<Choice> gathered = best(there, depth, limit);
    if (!gathered) return;
    const uint32_t pieces = gathered->plan->problem().collective().pieces();
    if (pieces > 1) take_in(pieces, question, loan, depth, limit, found);
  }

  // What the second of two lenders takes at least; 0 where that is not known before the first has answered, or there is one alone.
  double least_of_second(const Question& question, const Loan& loan) {
    if (loan.lenders.size() != 2) return 0;
    const Problem& second = loan.lenders[1];
    const uint32_t ranks = question.problem.collective().num_ranks();
    const bool is_of_parts = !is_up_and_down(loan) &&
                             question.problem.collective().kind() != CollectiveKind::kAllgather &&
                             ranks / second.collective().pieces() != 1;
    const uint64_t bytes = is_of_parts ? (question.bytes + ranks - 1) / ranks
                           : question.problem.collective().kind() == CollectiveKind::kAllgather
                               ? question.bytes * ranks
                               : question.bytes;
    return of_lenders.time(in_pieces(second, 1), bytes);
  }

  // Of what does more, a part may take less, and what is merged starts up less often.
  static double limit_of_lender(const Question& question, const Loan& loan, double left, double for_second) {
    if (loan.kind == LoanKind::kPart) return left * kMoreForAll;
    if (loan.kind != LoanKind::kMerged) return left - for_second;
    const CostConstants& cost = question.problem.model().cost;
    return left * (1 + cost.ts / (static_cast<double>(question.bytes) * cost.tx));
  }

  // In so many pieces, or, of none, in those that the first lender is good in.
  void take_in(uint32_t pieces, const Question& question, const Loan& loan, uint32_t depth, double limit,
               std::optional<Choice>& found) {
    if (loan.kind == LoanKind::kPersonalised && pieces > 1)
      return;  // that is one piece, and all others with it
    // Lenders of a sum have a part of the vector each, or all of it.
    std::vector<Choice> lenders;
    double left = limit;
    uint32_t parts = 1;
    if (loan.kind == LoanKind::kPersonalised || loan.kind == LoanKind::kTogether) pieces = 1;
    const bool gathers =
        loan.kind == LoanKind::kSum && question.problem.collective().kind() == CollectiveKind::kAllgather;
    const uint32_t ranks = question.problem.collective().num_ranks();
    // Of two lenders the first has no more time than the second leaves it.
    const double for_second = least_of_second(question, loan);
    for (const Problem& lender : loan.lenders) {
      // What takes no less than ours does not if it is to be ours.
      // Whoever merges steps, as whoever reads them backwards, has not asked those cards that search.
      const bool is_new_to_it = loan.kind == LoanKind::kReversed || loan.kind == LoanKind::kMerged;
      Question there{in_pieces(lender, 1), question.bytes, question.least, pieces, is_new_to_it};
      there.is_half = moves_vector(lender.collective().kind()) &&
                      (question.is_half || (is_up_and_down(loan) && goes_both_ways(question.problem)));
      if (gathers) {
        // The vector that is broadcast is all blocks.
        there.least = 0;
        if (!lenders.empty()) {
          there.bytes = question.bytes * ranks;
          there.pieces = ranks;
        } else {
          there.pieces = 1;
        }
      } else if (is_up_and_down(loan)) {
        there.least = 0;
        there.pieces = pieces;
        const CostConstants& cost = lender.model().cost;
        if (pieces == 1 && 2 * (cost.ts + static_cast<double>(question.bytes) * cost.tx) >= limit) return;
      } else if (loan.lenders.size() == 2) {
        parts = ranks / lender.collective().pieces();
        there.least = 0;
        there.bytes = parts == 1 ? question.bytes : (question.bytes + ranks - 1) / ranks;
      }
      const double least = of_lenders.time(lender, there.bytes);
      const double lent_limit = limit_of_lender(question, loan, left, lenders.empty() ? for_second : 0);
      if (least >= lent_limit) return;
      there.least = std::max(there.least, least);
      std::optional<Choice> choice = best(there, depth, lent_limit);
      if (!choice) return;
      left -= time_for(*choice, there.bytes);
      pieces = choice->plan->problem().collective().pieces();
      lenders.push_back(*std::move(choice));
    }
    try {
      if (gathers) pieces = 1;
      if (loan.kind == LoanKind::kTogether) pieces = question.pieces;
      const Problem ours = in_pieces(question.problem, pieces * parts);
      if (judge_bytes(ours) > kMostJudged) return;
      const std::optional<Loan> here = same_loan_at_large(ours, loan);
      if (!here) return;
      // Not every sum can be read backwards, nor is every step of messages one of worms: that is seen once it is made.
      const bool is_crowded = loan.name == "packets" && here->stream && !sends_packet_by_packet(lenders[0]);
      const bool is_made = lenders[0].plan->problem().collective().flow() == Flow::kCombine &&
                           (loan.kind == LoanKind::kReversed || is_crowded);
      if (is_made && !is_settled_quickly(ours)) return;
      Choice lent = lend(ours, *here, std::move(lenders), {chunk_bytes(ours, question.bytes), true, is_made});
      if (time_for(lent, question.bytes) < limit) found = std::move(lent);
    } catch (const InputError&) {
      // More blocks than can be numbered.
    }
  }

  Problem problem;
  unsigned threads;
  double near_least = near_least_of(problem);
  uint64_t message = 0;                 // bytes: what `answers` are about
  bool own_are_asked = false;           // and how they were asked for
  std::optional<double> least_ahead{};  // while it looks ahead: what any plan takes
  bool was_cut_short = false;
  std::atomic<double> known_beside{kNever};
  bool is_beside = false;  // while two look at loans at once
  const Search* beside_whom = nullptr;
  std::atomic<bool> is_cut{false};  // by that one
  std::map<SizedKey, Known> answers{};
  std::optional<LeastTime> bound{};
  LeastOfLenders of_lenders{problem.topology()};
  std::map<std::tuple<const Algorithm*, AskedKey, uint64_t, uint64_t>, Streamed>
      streamed{};  // card, machine, pieces, bytes
  std::map<AskedKey, SaidByCards> said{};
};

bool is_chosen_by_time_at_large(const Problem& problem) {
  // Over links of one way an exchange of packets would be searched for once more, in vain as a rule.
  const bool is_one_way_exchange = problem.topology().is_directed() &&
                                   problem.collective().kind() == CollectiveKind::kAlltoall &&
                                   !takes_paths(problem.model());
  return is_large_for_sizes(problem) && problem.topology().num_endpoints() <= kMostNodes &&
         !is_one_way_exchange && is_chosen_by_time_but_for_size(problem);
}

LargeByTime::LargeByTime(const Problem& problem, unsigned threads)
    : search_(std::make_unique<Search>(problem, threads)) {}
LargeByTime::~LargeByTime() = default;

void LargeByTime::look_ahead(uint64_t message_bytes, double known) {
  const SharedFactorExchanges shared;
  search_->look_ahead(message_bytes, known);
}

void LargeByTime::is_known(double time) { search_->known_beside = time; }

std::optional<Choice> LargeByTime::best_for(uint64_t message_bytes, double known) {
  const SharedFactorExchanges shared;
  std::optional<Choice> best = search_->best_for(message_bytes, known);
  if (!best) return best;
  best->reason = "predicts " + figures_in_words(*best);
  return best;
}

}  // namespace quadrille
