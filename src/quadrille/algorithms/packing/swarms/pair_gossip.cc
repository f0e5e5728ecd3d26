#include "quadrille/algorithms/packing/swarms/pair_gossip.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/base/check.h"
#include "quadrille/base/numbers/bit_count.h"
#include "quadrille/base/numbers/least_first.h"
#include "quadrille/base/random.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/last_answers.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

constexpr uint64_t kWork = 16'000'000;  // words looked at, in all tries
constexpr uint32_t kMostTries = 64;
constexpr uint32_t kMostArcs = 1U << 17U;

struct Try {
  std::vector<size_t> steps{0};
  std::vector<PairGossip::Message> messages{};
  std::vector<uint32_t> origins{};
};

class Gossip {
 public:
  Gossip(const Problem& problem, uint32_t most, uint64_t seed)
      : net_(problem.topology()),
        most_(most),
        sends_(problem.model().send),
        receives_(problem.model().receive),
        rng_(seed),
        words_((size_t{net_.num_nodes()} + 63) / 64),
        has_(net_.num_nodes() * words_, 0),
        lacks_(net_.num_nodes(), net_.num_nodes() - 1),
        known_by_(net_.num_nodes(), 1) {
    QUADRILLE_CHECK(net_.num_arcs() <= kMostArcs, net_.name());
    for (uint32_t v = 0; v < net_.num_nodes(); ++v) set(v, v);
    missing_ = uint64_t{net_.num_nodes()} * (net_.num_nodes() - 1);
  }

  // Nothing where it takes more than `most` steps.
  std::optional<Try> run(size_t most, uint64_t& work) {
    Try out;
    while (missing_ > 0) {
      if (out.steps.size() > most) return std::nullopt;
      choose();
      work -= std::min<uint64_t>(work, net_.num_arcs() * words_);
      before_ = has_;
      for (const ArcId arc : chosen_) send(arc, out);
      out.steps.push_back(out.messages.size());
    }
    return out;
  }

 private:
  void set(uint32_t node, uint32_t origin) {
    has_[node * words_ + origin / 64] |= uint64_t{1} << (origin % 64);
  }

  [[nodiscard]] uint64_t news_over(ArcId arc) const {
    const uint64_t* from = has_.data() + index(net_.tail(arc)) * words_;
    const uint64_t* to = has_.data() + index(net_.head(arc)) * words_;
    uint64_t news = 0;
    for (size_t w = 0; w < words_; ++w) news += bit_count(from[w] & ~to[w]);
    return news;
  }

  // The most news first, then to who lacks most; ties are drawn.
  void choose() {
    order_.clear();
    for (const ArcId arc : net_.arcs()) {
      if (const uint64_t news = news_over(arc); news > 0)
        order_.push_back(value_of(arc, news) * kMostArcs + index(arc));
    }
    most_ >= net_.num_nodes() ? sort_by_news() : std::sort(order_.begin(), order_.end(), std::greater<>());
    sent_.assign(net_.num_nodes(), 0);
    received_.assign(net_.num_nodes(), 0);
    chosen_.clear();
    for (const uint64_t key : order_) {
      const ArcId arc{static_cast<uint32_t>(key % kMostArcs)};
      uint32_t& out = sent_[index(net_.tail(arc))];
      uint32_t& in = received_[index(net_.head(arc))];
      if ((!sends_.unlimited() && out >= sends_.count) || (!receives_.unlimited() && in >= receives_.count))
        continue;
      ++out;
      ++in;
      chosen_.push_back(arc);
    }
  }

  // The same, of values below sixteen times as many as there are nodes: of the same value the last arc first.
  void sort_by_news() {
    const uint64_t values = 16 * uint64_t{net_.num_nodes()};
    begin_.assign(values + 1, 0);
    const auto place_of = [&](uint64_t key) { return values - 1 - key / kMostArcs; };
    for (const uint64_t key : order_) ++begin_[place_of(key) + 1];
    for (size_t i = 0; i < values; ++i) begin_[i + 1] += begin_[i];
    sorted_.resize(order_.size());
    for (size_t i = order_.size(); i-- > 0;) sorted_[begin_[place_of(order_[i])]++] = order_[i];
    order_.swap(sorted_);
  }

  [[nodiscard]] uint64_t value_of(ArcId arc, uint64_t news) {
    if (most_ >= net_.num_nodes()) return news * 16 + rng_.below(16);
    return ((std::min<uint64_t>(news, most_) << 24U) + lacks_[index(net_.head(arc))]) * 16 + rng_.below(16);
  }

  // What the head has not got over another arc of the step.
  void send(ArcId arc, Try& out) {
    const uint64_t* from = before_.data() + index(net_.tail(arc)) * words_;
    const uint64_t* to = has_.data() + index(net_.head(arc)) * words_;
    const auto begin = static_cast<uint32_t>(out.origins.size());
    for (size_t w = 0; w < words_; ++w) {
      for (uint64_t news = from[w] & ~to[w]; news != 0; news &= news - 1)
        out.origins.push_back(static_cast<uint32_t>(w * 64 + static_cast<size_t>(std::countr_zero(news))));
    }
    if (out.origins.size() - begin > most_) keep_scarcest(out.origins, begin);
    const auto end = static_cast<uint32_t>(out.origins.size());
    if (begin == end) return;
    for (uint32_t i = begin; i < end; ++i) {
      set(static_cast<uint32_t>(index(net_.head(arc))), out.origins[i]);
      ++known_by_[out.origins[i]];
    }
    lacks_[index(net_.head(arc))] -= end - begin;
    out.messages.push_back({arc, begin, end});
    missing_ -= end - begin;
  }

  // Of what stands from there on, what fewest nodes have. Number and origin are one word: to find the least of pairs took a third of
  // all time.
  void keep_scarcest(std::vector<uint32_t>& origins, uint32_t begin) {
    by_number_.clear();
    for (size_t i = begin; i < origins.size(); ++i)
      by_number_.push_back((known_by_[origins[i]] * 16 + rng_.below(16)) << 32U | origins[i]);
    put_least_first(by_number_, most_);
    by_number_.resize(most_);
    origins.resize(begin);
    for (const uint64_t word : by_number_) origins.push_back(static_cast<uint32_t>(word));
    std::sort(origins.begin() + begin, origins.end());
  }

  const Topology& net_;
  uint32_t most_;
  Ports sends_;
  Ports receives_;
  Rng rng_;
  size_t words_;
  std::vector<uint64_t> has_;  // per node, a bit for each origin
  std::vector<uint64_t> before_;
  std::vector<uint32_t> lacks_;     // per node: origins
  std::vector<uint64_t> known_by_;  // per origin: nodes
  std::vector<uint64_t> by_number_;
  uint64_t missing_ = 0;
  std::vector<uint64_t> order_;  // arcs by their value
  std::vector<uint64_t> sorted_;
  std::vector<uint32_t> begin_;
  std::vector<uint32_t> sent_;
  std::vector<uint32_t> received_;
  std::vector<ArcId> chosen_;
};

uint64_t rounds_of(const Try& made) {
  uint64_t sum = 0;
  for (size_t t = 0; t + 1 < made.steps.size(); ++t) {
    uint64_t most = 0;
    for (size_t m = made.steps[t]; m < made.steps[t + 1]; ++m)
      most = std::max<uint64_t>(most, made.messages[m].end - made.messages[m].begin);
    sum += most;
  }
  return sum;
}

}  // namespace

PairGossip::PairGossip(const Problem& problem, uint32_t most) {
  if (problem.topology().num_nodes() < 2) return;
  std::optional<Try> best;
  uint64_t rounds = 0;
  uint64_t work = kWork;
  // Where messages are small tries hardly differ.
  const uint32_t tries = most < problem.topology().num_nodes() ? 1 : kMostTries;
  for (uint32_t i = 0; i < tries && work > 0; ++i) {
    std::optional<Try> found = Gossip(problem, most, i).run(best ? best->steps.size() - 1 : SIZE_MAX, work);
    if (!found) continue;
    const uint64_t here = rounds_of(*found);
    if (best && best->steps.size() == found->steps.size() && rounds <= here) continue;
    best = std::move(found);
    rounds = here;
  }
  steps_ = std::move(best->steps);
  messages_ = std::move(best->messages);
  origins_ = std::move(best->origins);
}

uint64_t PairGossip::rounds() const {
  uint64_t sum = 0;
  for (uint32_t t = 0; t < num_steps(); ++t) {
    uint64_t most = 0;
    for (const Message& message : messages(t)) most = std::max<uint64_t>(most, message.end - message.begin);
    sum += most;
  }
  return sum;
}

Applicability gossip_applies(const Problem& problem) {
  if (Applicability fits = bundles_between_partners(problem); !fits.applies) return fits;
  const Topology& net = problem.topology();
  if (net.num_arcs() <= kMostArcs) return Applicability::yes();
  return Applicability::no(fmt::format("it looks at every link in every step: up to {} arcs, {} has {}",
                                       with_thousands(kMostArcs), net.name(),
                                       with_thousands(net.num_arcs())));
}

std::shared_ptr<const PairGossip> kept_gossip(const Problem& problem) {
  return kept_gossip_of(problem, UINT32_MAX);
}

std::shared_ptr<const PairGossip> kept_gossip_of(const Problem& problem, uint32_t most) {
  using Key = std::tuple<Ports, Ports, uint32_t>;
  static LastAnswers<Key, std::shared_ptr<const PairGossip>> kept(12);
  return kept.of(problem.topology(), {problem.model().send, problem.model().receive, most},
                 [&] { return std::make_shared<const PairGossip>(problem, most); });
}

uint64_t rounds_at_least(const Problem& problem, const Rational& blocks) {
  uint64_t most = std::max<uint64_t>(1, most_links_in(problem.topology()));
  const Ports ports = problem.model().receive;
  if (!ports.unlimited()) most = std::min<uint64_t>(most, ports.count);
  return static_cast<uint64_t>((blocks / Rational(static_cast<int64_t>(most))).ceil());
}

uint64_t gossip_at_least(const Problem& problem) {
  const Topology& net = problem.topology();
  uint64_t least = 0;
  const Ports ports = problem.model().receive;
  if (!ports.unlimited())
    for (uint64_t known = 1; known < net.num_nodes(); known *= uint64_t{ports.count} + 1) ++least;
  return std::max<uint64_t>(least, distance_summary(net).diameter);
}

}  // namespace quadrille
