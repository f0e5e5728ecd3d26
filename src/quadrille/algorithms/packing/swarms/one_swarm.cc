#include "quadrille/algorithms/packing/swarms/one_swarm.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <utility>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/numbers/least_first.h"
#include "quadrille/base/random.h"
#include "quadrille/topology/queries/arcs_into.h"
#include "quadrille/topology/queries/separations.h"

namespace quadrille {
namespace {

constexpr uint32_t kNoPart = UINT32_MAX;
// Tries that watch borders of tight sets: what comes in there has to multiply behind them.
constexpr uint64_t kEnoughInStock = 4;
constexpr uint64_t kNearBehindBorders = 80;
constexpr uint64_t kBehindAll = uint64_t{1} << 31U;
constexpr uint64_t kMostNodesOfSwarm = uint64_t{1} << 22U;  // of which all that is scarce comes before that
constexpr uint64_t kHeavyTenths = 4;                        // of what the busiest has to do
constexpr uint64_t kScarceTenths = 9;
// Of more entries (nodes times blocks) a node looks at some new blocks alone,
constexpr uint64_t kFewLooked = uint64_t{1} << 19U;
// and of a stream that would look at more, in all steps.
constexpr uint64_t kMostLooked = 400'000'000;

// How many of some words have each bit: the digits of all 64 sums, one word for each digit.
class BitSums {
 public:
  void clear() { digits_ = 0; }
  void add(uint64_t word) {
    for (size_t d = 0; word != 0; ++d) {
      if (d == digits_) digit_[digits_++] = 0;
      const uint64_t carry = digit_[d] & word;
      digit_[d] ^= word;
      word = carry;
    }
  }
  [[nodiscard]] uint64_t of(unsigned bit) const {
    uint64_t sum = 0;
    for (size_t d = 0; d < digits_; ++d) sum |= ((digit_[d] >> bit) & 1U) << d;
    return sum;
  }

 private:
  std::array<uint64_t, 32> digit_{};
  size_t digits_ = 0;
};

class BlockSwarm {
 public:
  // If there is time for ways, the first few tries are each in a way of its own; where there are no gates the others are all in one.
  BlockSwarm(const SwarmTask& task, uint64_t number, bool has_ways, SwarmOrder preferred = {},
             std::span<const TightSet> tight = {})
      : net_(task.net),
        preferred_(preferred),
        scarce_first_(has_ways && number % 2 == 1),
        far_first_(has_ways && number % 4 >= 2),
        blocks_(static_cast<uint32_t>(task.origins.size())),
        sends_(task.send.unlimited() ? UINT64_MAX : task.send.count),
        receives_(task.receive.unlimited() ? UINT64_MAX : task.receive.count),
        rng_(!has_ways             ? number
             : number < kSwarmWays ? 0
                                   : number - kSwarmWays + 1),
        into_(arcs_into(net_)),
        is_stream_(is_stream(task)),
        is_half_(task.duplex == Duplex::kHalf),
        turns_first_(is_half_ && (number % 4 < 2 || (task.send.unlimited() && task.receive.unlimited()))),
        is_large_(looks_at_few(net_, blocks_, is_stream_)),
        words_((size_t{blocks_} + 63) / 64),
        has_(net_.num_nodes() * words_, 0),
        wanted_(words_, 0),
        lacks_(net_.num_nodes(), blocks_),
        holders_(blocks_, 1),
        wanting_(blocks_, net_.num_endpoints() - 1) {
    QUADRILLE_CHECK(net_.num_nodes() <= kMostNodesOfSwarm, net_.name());
    for (uint32_t b = 0; b < blocks_; ++b) {
      const size_t origin = index(task.origins[b]);
      set_bit(of(origin), b);
      set_bit(wanted_.data(), b);
      --lacks_[origin];
    }
    locked_.assign(net_.num_arcs(), 0);
    if (!tight.empty()) {
      watch_borders(task, tight);
    } else if (sends_ != UINT64_MAX) {
      find_gates(task);
    }
    if (number >= kSwarmWays && is_gate_.empty()) scarce_first_ = false;
    missing_ = uint64_t{blocks_} * (net_.num_endpoints() - 1);
    uint64_t sent = 0;
    for (const NodeId v : net_.nodes()) {
      uint64_t out = 0;
      for (const ArcId arc : net_.arcs_from(v)) out += net_.capacity(arc);
      sent += std::min(sends_, out);
      uint64_t lanes = 0;
      for (const ArcId arc : into_[index(v)]) lanes += net_.capacity(arc);
      hears_.push_back(std::min(receives_, lanes));
    }
    uint64_t heard = 0;
    for (const NodeId v : net_.endpoints())
      if (lacks_[index(v)] > 0) heard += hears_[index(v)];
    moves_ = std::max<uint64_t>(1, std::min(sent, heard));
    asked_.assign(net_.num_nodes(), 0);
  }

  // Nothing where it takes more than `most` steps, or the work is used up.
  std::optional<SwarmSteps> run(size_t most, uint64_t& work) {
    SwarmSteps out;
    while (missing_ > 0) {
      if (work == 0 || out.size() + steps_at_least() > most) return std::nullopt;
      choose_links();
      std::vector<SwarmSend>& step = out.emplace_back();
      for (const NodeId v : net_.nodes()) serve(v, step, work);
      for (const SwarmSend& send : step) {
        const size_t v = index(net_.head(send.arc));
        if (!barred_by_.empty() && barred_by_[index(send.arc)] != kNoPart)
          set_bit(crossed_.data() + barred_by_[index(send.arc)] * words_, send.block);
        set_bit(of(v), send.block);
        --lacks_[v];
        if (!net_.rank(net_.head(send.arc))) continue;
        --missing_;
        if (--wanting_[send.block] == 0) wanted_[send.block / 64] &= ~(uint64_t{1} << (send.block % 64));
      }
      work -= std::min<uint64_t>(work, uint64_t{net_.num_arcs()} * 8);
    }
    leave_out_needless(net_, blocks_, out);
    return out;
  }

 private:
  [[nodiscard]] uint64_t* of(size_t node) { return has_.data() + node * words_; }
  [[nodiscard]] const uint64_t* of(size_t node) const { return has_.data() + node * words_; }
  [[nodiscard]] bool has(size_t node, uint32_t b) const { return ((of(node)[b / 64] >> (b % 64)) & 1U) != 0; }
  static void set_bit(uint64_t* bits, uint32_t b) { bits[b / 64] |= uint64_t{1} << (b % 64); }

  // No fewer steps are to come: for what an endpoint lacks, and for all of it. Most tries are no better than the best so
  // far, and end here long before their last step.
  [[nodiscard]] uint64_t steps_at_least() const {
    uint64_t least = (missing_ + moves_ - 1) / moves_;
    for (const NodeId v : net_.endpoints())
      least = std::max(least, (lacks_[index(v)] + hears_[index(v)] - 1) / hears_[index(v)]);
    return least;
  }

  // --- gates -------------------------------------------------------------------------------------------

  // Who alone joins parts may have enough to do with what must go from one to another: then nothing that begins in a part is sent into
  // it by such a gate, unless somebody could hear of it in no other way.
  void find_gates(const SwarmTask& task) {
    barred_by_.assign(net_.num_arcs(), kNoPart);
    is_gate_.assign(net_.num_nodes(), 0);
    const Separations around(net_);
    std::vector<uint64_t> duty(net_.num_nodes(), 0);
    uint64_t most = 0;
    for (const NodeId v : net_.nodes()) {
      uint64_t lanes = 0;
      for (const ArcId arc : into_[index(v)]) lanes += net_.capacity(arc);
      if (net_.rank(v)) most = std::max(most, sends_ * lacks_[index(v)] / std::min(receives_, lanes));
      const std::vector<Separations::Part> parts = around.parts(v);
      if (parts.size() < 2) continue;
      for (const Separations::Part& part : parts)
        if (part.endpoints > 0) duty[index(v)] += blocks_ - begun_in(around, part, task);
      most = std::max(most, duty[index(v)]);
    }
    for (const NodeId v : net_.nodes()) {
      if (duty[index(v)] == 0 || kHeavyTenths * most > 10 * duty[index(v)]) continue;
      is_gate_[index(v)] = 1;
      for (const Separations::Part& part : around.parts(v)) {
        const auto number = static_cast<uint32_t>(size_of_part_.size());
        size_of_part_.push_back(part.endpoints);
        barred_.resize(barred_.size() + words_, 0);
        for (uint32_t b = 0; b < blocks_; ++b)
          if (around.is_in(part, task.origins[b])) set_bit(barred_.data() + number * words_, b);
        for (const ArcId arc : net_.arcs_from(v))
          if (around.is_in(part, net_.head(arc))) barred_by_[index(arc)] = number;
      }
    }
    crossed_.assign(barred_.size(), 0);
    only_fresh_.assign(net_.num_arcs(), 0);
    if (!barred_.empty() && all_may_hear(task)) return;
    barred_by_.clear();
    is_gate_.clear();
  }
  static uint64_t begun_in(const Separations& around, const Separations::Part& part, const SwarmTask& task) {
    uint64_t blocks = 0;
    for (const NodeId origin : task.origins) blocks += around.is_in(part, origin) ? 1 : 0;
    return blocks;
  }
  [[nodiscard]] bool all_may_hear(const SwarmTask& task) const {
    std::vector<uint32_t> heard(net_.num_nodes(), UINT32_MAX);
    std::vector<NodeId> reached;
    for (uint32_t b = 0; b < blocks_; ++b) {
      reached.assign(1, task.origins[b]);
      heard[index(task.origins[b])] = b;
      for (size_t i = 0; i < reached.size(); ++i) {
        for (const ArcId arc : net_.arcs_from(reached[i])) {
          const uint32_t part = barred_by_[index(arc)];
          if (heard[index(net_.head(arc))] == b) continue;
          if (part != kNoPart && ((barred_[part * words_ + b / 64] >> (b % 64)) & 1U) != 0) continue;
          heard[index(net_.head(arc))] = b;
          reached.push_back(net_.head(arc));
        }
      }
      for (const NodeId v : net_.endpoints())
        if (heard[index(v)] != b) return false;
    }
    return true;
  }
  // What has not been in a part goes first, and into a large part, where it has far to go, before any small one.
  void choose_of_gates() {
    if (barred_by_.empty()) return;
    if (!borders_.empty()) return look_over_borders();
    for (const NodeId u : net_.nodes()) {
      if (is_gate_[index(u)] == 0) continue;
      uint32_t largest = 0;
      for (const ArcId arc : net_.arcs_from(u)) {
        only_fresh_[index(arc)] = 0;
        const uint32_t part = barred_by_[index(arc)];
        const uint64_t* to = of(index(net_.head(arc)));
        for (size_t w = 0; w < words_ && only_fresh_[index(arc)] == 0; ++w)
          if ((sendable(arc, w) & ~to[w] & wanted_[w] & ~crossed_[part * words_ + w]) != 0)
            only_fresh_[index(arc)] = 1;
        if (only_fresh_[index(arc)] != 0) largest = std::max(largest, size_of_part_[part]);
      }
      for (const ArcId arc : net_.arcs_from(u))
        if (2 * size_of_part_[barred_by_[index(arc)]] <= largest && far_first_) only_fresh_[index(arc)] = 2;
    }
  }
  // What the tail may send, of 64 blocks.
  [[nodiscard]] uint64_t sendable(ArcId arc, size_t w) const {
    const uint64_t has = of(index(net_.tail(arc)))[w];
    if (barred_by_.empty() || barred_by_[index(arc)] == kNoPart) return has;
    const size_t at = barred_by_[index(arc)] * words_ + w;
    if (only_fresh_[index(arc)] == 2) return 0;
    return has & ~barred_[at] & ~(only_fresh_[index(arc)] != 0 ? crossed_[at] : 0);
  }
  [[nodiscard]] bool can_send(ArcId arc, uint32_t b) const {
    return ((sendable(arc, b / 64) >> (b % 64)) & 1U) != 0;
  }

  // --- tight sets --------------------------------------------------------------------------------------

  // Over a border goes nothing that begins behind it.
  void watch_borders(const SwarmTask& task, std::span<const TightSet> tight) {
    barred_by_.assign(net_.num_arcs(), kNoPart);
    is_gate_.assign(net_.num_nodes(), 0);
    for (const TightSet& set : tight) {
      const auto number = static_cast<uint32_t>(size_of_part_.size());
      size_of_part_.push_back(blocks_ - static_cast<uint32_t>(set.outside));
      lanes_of_part_.push_back(set.lanes);
      depth_of_part_.push_back(set.depth);
      barred_.resize(barred_.size() + words_, 0);
      for (uint32_t b = 0; b < blocks_; ++b)
        if (set.holds[index(task.origins[b])] != 0) set_bit(barred_.data() + number * words_, b);
      for (const ArcId arc : set.border) {
        barred_by_[index(arc)] = number;
        is_gate_[index(net_.tail(arc))] = 1;
        borders_.push_back(arc);
      }
    }
    crossed_.assign(barred_.size(), 0);
    only_fresh_.assign(net_.num_arcs(), 0);
    stock_.assign(net_.num_arcs(), 0);
    if (all_may_hear(task)) return;
    borders_.clear();
    barred_by_.clear();
    is_gate_.clear();
  }
  // What has not been behind a border goes first.
  void look_over_borders() {
    for (const ArcId arc : borders_) {
      const uint64_t* from = of(index(net_.tail(arc)));
      const size_t at = barred_by_[index(arc)] * words_;
      uint64_t fresh = 0;
      for (size_t w = 0; w < words_; ++w)
        fresh +=
            static_cast<uint64_t>(std::popcount(from[w] & ~barred_[at + w] & ~crossed_[at + w] & wanted_[w]));
      stock_[index(arc)] = fresh;
      only_fresh_[index(arc)] = fresh > 0 ? 1 : 0;
    }
  }
  // Borders are crossed before anybody else is served, those first behind which most is to come, and goes farthest.
  void cross_borders() {
    std::fill(locked_.begin(), locked_.end(), 0);
    std::vector<std::pair<uint64_t, ArcId>> order;
    for (const ArcId arc : borders_) {
      if (only_fresh_[index(arc)] == 0) continue;
      const uint32_t part = barred_by_[index(arc)];
      uint64_t left = 0;
      for (size_t w = 0; w < words_; ++w)
        left += static_cast<uint64_t>(
            std::popcount(~barred_[part * words_ + w] & ~crossed_[part * words_ + w] & wanted_[w]));
      const uint64_t far = scarce_first_ ? 0 : 16 * depth_of_part_[part];  // every other try
      order.emplace_back(left * 16 / lanes_of_part_[part] + far + rng_.below(4), arc);
    }
    std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [left, arc] : order) {
      const size_t u = index(net_.tail(arc));
      const size_t v = index(net_.head(arc));
      while (used_[index(arc)] < std::min(news_[index(arc)], stock_[index(arc)]) && sent_[u] < sends_ &&
             received_[v] < receives_ && !is_met(arc)) {
        ++sent_[u];
        ++received_[v];
        ++used_[index(arc)];
        ++locked_[index(arc)];
      }
    }
  }
  // Whether a node wants a block soon, to send it over a border.
  [[nodiscard]] bool is_wanted_behind(NodeId v, uint32_t b) const {
    if (borders_.empty() || is_gate_[index(v)] == 0) return false;
    for (const ArcId arc : net_.arcs_from(v)) {
      const uint32_t part = barred_by_[index(arc)];
      if (part == kNoPart || stock_[index(arc)] >= kEnoughInStock) continue;
      const size_t at = part * words_ + b / 64;
      if ((((barred_[at] | crossed_[at]) >> (b % 64)) & 1U) == 0) return true;
    }
    return false;
  }

  // --- who sends to whom ---------------------------------------------------------------------------------

  void choose_links() {
    news_.assign(net_.num_arcs(), 0);
    used_.assign(net_.num_arcs(), 0);
    sent_.assign(net_.num_nodes(), 0);
    received_.assign(net_.num_nodes(), 0);
    std::vector<std::pair<uint64_t, uint32_t>> order;
    choose_of_gates();
    for (const ArcId arc : net_.arcs())
      news_[index(arc)] = std::min<uint64_t>(net_.capacity(arc), news_over(arc));
    for (const NodeId v : net_.nodes()) {
      uint64_t links = 0;
      for (const ArcId arc : into_[index(v)]) links += news_[index(arc)];
      if (links == 0) continue;
      uint64_t urgency = uint64_t{lacks_[index(v)]} * 4 + rng_.below(4) + preference(v);
      if (!is_gate_.empty() && is_gate_[index(v)] != 0) {
        uint64_t stock = 0;
        for (const ArcId arc : net_.arcs_from(v))
          stock += borders_.empty()                    ? news_[index(arc)]
                   : barred_by_[index(arc)] == kNoPart ? 0
                                                       : stock_[index(arc)];
        if (stock <= 2) urgency += 4 * blocks_;
      }
      order.emplace_back(urgency, static_cast<uint32_t>(index(v)));
    }
    std::sort(order.rbegin(), order.rend());
    if (turns_first_) turn_links();
    if (sends_ == UINT64_MAX && receives_ == UINT64_MAX) {
      for (const ArcId arc : net_.arcs()) used_[index(arc)] = news_[index(arc)];
      return;
    }
    for (std::vector<ArcId>& arcs : into_) rng_.shuffle(arcs);
    if (scarce_first_) put_scarce_first();
    if (!borders_.empty()) cross_borders();
    // Whoever finds no sender finds none later in the step.
    while (!order.empty()) {
      std::erase_if(order, [&](const auto& lacking) {
        const uint32_t v = lacking.second;
        if (received_[v] >= std::min<uint64_t>(receives_, lacks_[v])) return true;
        return !finds_sender(v);
      });
    }
    for (const size_t u : in_vain_) asked_[u] = 0;
    in_vain_.clear();
  }

  // Whom a search in vain has asked has nothing to spare in this step: a way that got there would have ended there. But where a link that
  // goes one way stands in the way, which may be gone.
  bool finds_sender(uint32_t v) {
    ++search_;
    seen_.clear();
    if (receive(v)) return true;
    if (is_half_) return false;
    for (const size_t u : seen_) asked_[u] = kInVain;
    in_vain_.insert(in_vain_.end(), seen_.begin(), seen_.end());
    return false;
  }

  [[nodiscard]] uint64_t preference(NodeId v) const {
    if (!preferred_.idle_first && !preferred_.by_neighbours) return 0;
    bool is_idle = true;
    uint64_t lacking = 0;
    for (const ArcId arc : net_.arcs_from(v)) {
      is_idle = is_idle && news_[index(arc)] == 0;
      lacking += lacks_[index(net_.head(arc))];
    }
    return (preferred_.idle_first && is_idle ? 4 * uint64_t{blocks_} : 0) +
           (preferred_.by_neighbours && lacking > 0 ? 4 * lacking / net_.arcs_from(v).size() : 0);
  }

  // Senders that have something scarce come first: what fewer nodes have than most.
  void put_scarce_first() {
    uint64_t sum = 0;
    uint64_t number = 0;
    const auto for_each_wanted = [&](auto&& with) {
      for (size_t w = 0; w < words_; ++w)
        for (uint64_t left = wanted_[w]; left != 0; left &= left - 1)
          with(static_cast<uint32_t>(w * 64 + static_cast<size_t>(std::countr_zero(left))));
    };
    for_each_wanted([&](uint32_t b) {
      sum += holders_[b];
      ++number;
    });
    scarce_.assign(words_, 0);
    for_each_wanted([&](uint32_t b) {
      if (kScarceTenths * sum >= 10 * holders_[b] * number) set_bit(scarce_.data(), b);
    });
    offers_scarce_.assign(net_.num_arcs(), 0);
    for (const ArcId arc : net_.arcs()) {
      const uint64_t* to = of(index(net_.head(arc)));
      for (size_t w = 0; w < words_ && offers_scarce_[index(arc)] == 0; ++w)
        if ((sendable(arc, w) & ~to[w] & scarce_[w]) != 0) offers_scarce_[index(arc)] = 1;
    }
    for (std::vector<ArcId>& arcs : into_)
      std::stable_partition(arcs.begin(), arcs.end(),
                            [&](ArcId arc) { return offers_scarce_[index(arc)] != 0; });
  }

  // Half duplex: each link one way, to whoever lacks more of those who could get something.
  void turn_links() {
    for (const ArcId arc : net_.arcs()) {
      const ArcId back = net_.reverse(arc);
      if (back == kNoArc || back < arc || news_[index(arc)] == 0 || news_[index(back)] == 0) continue;
      const uint64_t there = uint64_t{lacks_[index(net_.head(arc))]} * 4 + rng_.below(8);
      const uint64_t here = uint64_t{lacks_[index(net_.tail(arc))]} * 4 + rng_.below(8);
      news_[index(there < here ? arc : back)] = 0;
    }
  }

  // Blocks that the tail has and the head wants, up to the capacity.
  uint64_t news_over(ArcId arc) const {
    const uint64_t* to = of(index(net_.head(arc)));
    uint64_t news = 0;
    for (size_t w = 0; w < words_ && news < net_.capacity(arc); ++w)
      news += static_cast<uint64_t>(std::popcount(sendable(arc, w) & ~to[w] & wanted_[w]));
    return news;
  }

  // Half duplex: somebody sends the other way.
  [[nodiscard]] bool is_met(ArcId arc) const {
    if (!is_half_) return false;
    const ArcId back = net_.reverse(arc);
    return back != kNoArc && used_[index(back)] > 0;
  }

  // One transfer more into a node, with another of its sender's receivers served by somebody else.
  bool receive(uint32_t v) {
    for (const ArcId arc : into_[v]) {
      const size_t u = index(net_.tail(arc));
      if (used_[index(arc)] >= news_[index(arc)] || asked_[u] >= search_ || is_met(arc)) continue;
      asked_[u] = search_;
      seen_.push_back(u);
      if (sent_[u] < sends_) {
        ++sent_[u];
        ++received_[v];
        ++used_[index(arc)];
        return true;
      }
      for (const ArcId other : net_.arcs_from(net_.tail(arc))) {
        const auto w = static_cast<uint32_t>(index(net_.head(other)));
        if (used_[index(other)] == locked_[index(other)] || w == v) continue;
        --used_[index(other)];
        --received_[w];
        if (receive(w)) {
          if (is_met(arc)) {  // since whoever was asked for another now sends over this link
            --sent_[u];
            break;
          }
          ++received_[v];
          ++used_[index(arc)];
          return true;
        }
        if (is_met(other)) {  // for the same reason, in vain
          --sent_[u];
          break;
        }
        ++used_[index(other)];
        ++received_[w];
      }
    }
    return false;
  }

  // --- which blocks --------------------------------------------------------------------------------------

  void serve(NodeId v, std::vector<SwarmSend>& step, uint64_t& work) {
    channels_.clear();
    for (const ArcId arc : into_[index(v)])
      for (uint64_t c = used_[index(arc)]; c > 0; --c) channels_.push_back(arc);
    if (channels_.empty()) return;
    order_.clear();
    const uint64_t* here = of(index(v));
    const std::vector<ArcId>& from = is_stream_ || is_large_ ? channels_ : into_[index(v)];
    const size_t enough = is_large_ ? kEnoughPerChannel * channels_.size() : SIZE_MAX;
    const size_t first = is_large_ ? rng_.below(words_) : 0;
    const uint64_t near_weight = borders_.empty() ? 8 : kNearBehindBorders;
    const uint64_t noise = borders_.empty() ? 15 : 1;  // at most
    for (size_t i = 0; i < words_ && order_.size() < enough; ++i) {
      const size_t w = first + i < words_ ? first + i : first + i - words_;
      uint64_t news = 0;
      for (const ArcId arc : from) news |= sendable(arc, w);
      news &= ~here[w] & wanted_[w];
      if (news == 0) continue;
      near_.clear();
      for (const ArcId arc : into_[index(v)]) near_.add(sendable(arc, w));
      for (; news != 0; news &= news - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(news));
        const auto b = static_cast<uint32_t>(w * 64 + bit);
        const uint64_t near = near_.of(bit);
        const uint64_t last = is_wanted_behind(v, b) ? 0 : kBehindAll;
        order_.push_back((last + (near * near_weight + holders_[b]) * 4 + (rng_.next() & noise)) << 32U | b);
      }
    }
    work -= std::min<uint64_t>(work, std::min<uint64_t>(blocks_, enough) * into_[index(v)].size());
    taken_.assign(channels_.size(), UINT32_MAX);
    size_t matched = 0;
    size_t sorted = 0;  // of many blocks the first few are wanted, as a rule
    for (size_t i = 0; i < order_.size() && matched < channels_.size(); ++i) {
      if (i == sorted) {
        sorted = std::min(order_.size(), std::max(2 * sorted, 4 * channels_.size()));
        const auto begin = order_.begin() + static_cast<ptrdiff_t>(i);
        put_least_first(std::span(order_).subspan(i), sorted - i);
        std::sort(begin, order_.begin() + static_cast<ptrdiff_t>(sorted));
      }
      tried_.assign(channels_.size(), 0);
      if (place(static_cast<uint32_t>(order_[i]))) ++matched;
    }
    for (size_t i = 0; i < channels_.size(); ++i) {
      if (taken_[i] == UINT32_MAX) continue;
      step.push_back({channels_[i], taken_[i]});
      if (!borders_.empty() && barred_by_[index(channels_[i])] != kNoPart)
        set_bit(crossed_.data() + barred_by_[index(channels_[i])] * words_, taken_[i]);
      ++holders_[taken_[i]];
    }
  }
  bool place(uint32_t block) {
    for (size_t i = 0; i < channels_.size(); ++i) {
      if (tried_[i] != 0 || !can_send(channels_[i], block)) continue;
      tried_[i] = 1;
      if (taken_[i] != UINT32_MAX && !place(taken_[i])) continue;
      taken_[i] = block;
      return true;
    }
    return false;
  }

  const Topology& net_;
  SwarmOrder preferred_;
  bool scarce_first_;
  bool far_first_;
  uint32_t blocks_;
  uint64_t sends_;
  uint64_t receives_;
  Rng rng_;
  std::vector<std::vector<ArcId>> into_;
  bool is_stream_;  // all blocks come from one root
  bool is_half_;
  bool turns_first_;  // of half duplex: links are turned before senders are matched, and not as these are
  bool is_large_;     // a node looks at some blocks alone
  size_t words_;
  std::vector<uint64_t> has_;      // per node, a bit for each block
  std::vector<uint64_t> wanted_;   // blocks that some endpoint lacks
  std::vector<uint32_t> lacks_;    // per node
  std::vector<uint64_t> holders_;  // per block
  std::vector<uint32_t> wanting_;  // per block: endpoints that lack it
  uint64_t missing_ = 0;
  std::vector<uint64_t> hears_;  // per node: packets in a step, at most
  uint64_t moves_ = 0;           // of all that endpoints lack, in a step
  std::vector<char> is_gate_{};
  std::vector<uint32_t> barred_by_{};  // per arc
  std::vector<uint64_t> barred_{};     // a bit for each block
  std::vector<uint64_t> crossed_{};
  std::vector<char> only_fresh_{};
  std::vector<uint32_t> size_of_part_{};
  std::vector<ArcId> borders_{};           // links into tight sets
  std::vector<uint64_t> depth_of_part_{};  // of tight sets
  std::vector<uint64_t> lanes_of_part_{};  // of tight sets
  std::vector<uint64_t> stock_{};          // per link into one: what could go over it and is not behind it
  std::vector<uint64_t> locked_{};         // of what a link carries in a step, what nobody may change
  // Of one step.
  std::vector<uint64_t> news_;
  std::vector<uint64_t> scarce_{};
  std::vector<char> offers_scarce_{};
  std::vector<uint64_t> used_;
  std::vector<uint64_t> sent_;
  std::vector<uint64_t> received_;
  static constexpr uint64_t kInVain = UINT64_MAX;
  std::vector<uint64_t> asked_;    // per node: the search that asked it last, or that it is asked in vain
  std::vector<size_t> seen_{};     // by one search
  std::vector<size_t> in_vain_{};  // who is asked in vain in this step
  uint64_t search_ = 0;
  std::vector<ArcId> channels_;
  std::vector<uint64_t> order_;  // how scarce a block is, and the block
  BitSums near_;                 // links over which each of 64 blocks can come
  std::vector<uint32_t> taken_;
  std::vector<char> tried_;
};

}  // namespace

std::optional<SwarmSteps> one_swarm(const SwarmTask& task, const SwarmTry& way, size_t most, uint64_t& work) {
  return BlockSwarm(task, way.number, way.has_ways, way.preferred, way.tight).run(most, work);
}

bool is_stream(const SwarmTask& task) {
  return std::ranges::all_of(task.origins, [&](NodeId v) { return v == task.origins.front(); });
}

uint64_t steps_of_stream(const Topology& net, uint64_t pieces) { return pieces + net.num_nodes() / 8; }
uint64_t looks_at_all(const Topology& net, uint64_t pieces) {
  return steps_of_stream(net, pieces) * pieces * swarm_looks(net, pieces);
}

bool looks_at_few(const Topology& net, uint64_t blocks, bool is_stream) {
  return net.num_nodes() * blocks > kFewLooked || (is_stream && looks_at_all(net, blocks) > kMostLooked);
}

}  // namespace quadrille
