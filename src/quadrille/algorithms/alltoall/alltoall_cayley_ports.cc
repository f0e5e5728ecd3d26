// Total exchange on a Cayley graph with any number of ports: in every step all nodes forward as many relative
// messages as they have ports, each along another generator.
//
// A relative message r stands for the blocks x -> x*r of all nodes x, and each hop of it is a permutation of the
// nodes, so p of them along p generators keep p ports busy at every node. Where no step has fewer than p, the steps are
// the total distance of a node over p, which is the bound. So messages get shortest ways by which no generator has much
// more to carry than others; then each step takes the p generators with most left to carry, and along each the message
// with most hops left. Some orders end with a step that is not full: ways are drawn anew then, a few times.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/relative_messages.h"
#include "quadrille/algorithms/cayley/translated_step.h"
#include "quadrille/base/random.h"
#include "quadrille/base/text.h"
#include "quadrille/base/work_count.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_cayley_ports;

namespace alltoall_cayley_ports_parts {
namespace {

constexpr uint32_t kMostNodes = 4096;
constexpr uint64_t kMostTried = 4'000'000;  // hops, in all tries
constexpr uint32_t kMostTries = 40;

uint32_t ports_of(const Problem& problem) {
  const Model& model = problem.model();
  const auto generators = static_cast<uint32_t>(problem.topology().cayley()->generators.size());
  const auto limit = [&](Ports ports) {
    return ports.unlimited() ? generators : std::min(ports.count, generators);
  };
  return std::min(limit(model.send), limit(model.receive));
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = relative_messages_apply(problem); !fits.applies) return fits;
  const Topology& topology = problem.topology();
  if (problem.model().duplex == Duplex::kHalf)
    return Applicability::no("half duplex: two generators may use a link both ways");
  if (ports_of(problem) < 2) return Applicability::no("with one port alltoall_cayley is optimal");
  if (ports_of(problem) == topology.cayley()->generators.size())
    return Applicability::no("it is for fewer ports than links");
  if (topology.cayley()->group->order() < 2)
    return Applicability::no("a single node has nothing to exchange");
  if (topology.num_nodes() <= kMostNodes) return Applicability::yes();
  return Applicability::no(fmt::format("it follows every relative message: up to {} nodes, {} has {}",
                                       with_thousands(kMostNodes), topology.name(),
                                       with_thousands(topology.num_nodes())));
}

struct RelativeHop {
  uint32_t message;
  uint32_t generator;
};

struct Program {
  std::vector<std::vector<RelativeHop>> steps;
  std::vector<uint64_t> loads;  // by generator
};

class Tries {
 public:
  Tries(const CayleyStructure& cayley, uint32_t ports)
      : cayley_(cayley), group_(*cayley.group), table_(cayley), ports_(ports) {
    for (uint32_t r = 1; r < group_.order(); ++r) {
      messages_.push_back(r);
      hops_ += table_.length[r];
    }
  }

  Program best() {
    const uint64_t tries = std::clamp<uint64_t>(kMostTried / (hops_ + 1), 1, kMostTries);
    Program out;
    for (uint64_t i = 0; i < tries; ++i) {
      draw_ways(i > 0);
      const uint64_t least =
          std::max((hops_ + ports_ - 1) / ports_, *std::max_element(loads_.begin(), loads_.end()));
      Program program = in_steps();
      if (out.steps.empty() || program.steps.size() < out.steps.size()) out = std::move(program);
      if (out.steps.size() <= least) break;
    }
    return out;
  }

 private:
  // A shortest way for each message, hop by hop along the generator that carries least of those that lead on.
  void draw_ways(bool shuffled) {
    if (shuffled) rng_.shuffle(messages_);
    std::stable_sort(messages_.begin(), messages_.end(),
                     [this](uint32_t a, uint32_t b) { return table_.length[a] < table_.length[b]; });
    loads_.assign(cayley_.generators.size(), 0);
    ways_.assign(group_.order(), {});
    for (const uint32_t r : messages_) {
      for (uint32_t left = r; left != 0;) {
        uint32_t best = UINT32_MAX;
        for (uint32_t k = 0; k < loads_.size(); ++k) {
          const uint32_t rest = group_.multiply(group_.inverse(cayley_.generators[k]), left);
          if (table_.length[rest] + 1 == table_.length[left] &&
              (best == UINT32_MAX || loads_[k] < loads_[best]))
            best = k;
        }
        ++loads_[best];
        ways_[r].push_back(best);
        left = group_.multiply(group_.inverse(cayley_.generators[best]), left);
      }
    }
  }

  [[nodiscard]] Program in_steps() const {
    Program out;
    out.loads = loads_;
    std::vector<uint64_t> rest = loads_;
    std::vector<uint32_t> at(group_.order(), 0);
    // By generator: messages that wait for it, those with most hops left last.
    std::vector<std::vector<uint32_t>> waiting(loads_.size());
    const auto left = [&](uint32_t r) { return ways_[r].size() - at[r]; };
    const auto wait = [&](uint32_t r) {
      std::vector<uint32_t>& queue = waiting[ways_[r][at[r]]];
      queue.insert(std::upper_bound(queue.begin(), queue.end(), r,
                                    [&](uint32_t a, uint32_t b) { return left(a) < left(b); }),
                   r);
    };
    for (const uint32_t r : messages_) wait(r);
    std::vector<uint32_t> order(loads_.size());
    for (uint32_t k = 0; k < order.size(); ++k) order[k] = k;
    for (uint64_t hops = hops_; hops > 0;) {
      std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return rest[a] > rest[b]; });
      std::vector<RelativeHop>& step = out.steps.emplace_back();
      for (const uint32_t k : order) {
        if (waiting[k].empty() || step.size() == ports_) continue;
        step.push_back({waiting[k].back(), k});
        waiting[k].pop_back();
        --rest[k];
        --hops;
      }
      for (const RelativeHop& hop : step)
        if (++at[hop.message] < ways_[hop.message].size()) wait(hop.message);
    }
    return out;
  }

  const CayleyStructure& cayley_;
  const Group& group_;
  RelativeMessages table_;
  uint32_t ports_;
  uint64_t hops_ = 0;
  Rng rng_{1};
  std::vector<uint32_t> messages_{};
  std::vector<uint64_t> loads_{};
  std::vector<std::vector<uint32_t>> ways_{};  // by message: its generators
};

Program program_of(const Problem& problem) {
  count_work(Work::kSearching);
  return Tries(*problem.topology().cayley(), ports_of(problem)).best();
}

Prediction predicted(const Problem& problem, const Program& program) {
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t steps = pieces * program.steps.size();
  return {.steps = steps,
          .start_ups = steps,
          .busiest_link = pieces * *std::max_element(program.loads.begin(), program.loads.end())};
}

void generate(const Problem& problem, const Program& program, StepSink& sink) {
  const CayleyStructure& cayley = *problem.topology().cayley();
  const Group& group = *cayley.group;
  TranslatedStep step(problem, sink);
  std::vector<uint32_t> moved(group.order());
  std::vector<uint32_t> left(group.order());
  for (uint32_t piece = 0; piece < problem.collective().pieces(); ++piece) {
    step.set_piece(piece);
    for (uint32_t r = 0; r < left.size(); ++r) {
      moved[r] = 0;
      left[r] = r;
    }
    for (const std::vector<RelativeHop>& hops : program.steps) {
      for (const auto& [r, k] : hops) {
        step.add(k, moved[r], left[r]);
        moved[r] = group.multiply(moved[r], cayley.generators[k]);
        left[r] = group.multiply(group.inverse(cayley.generators[k]), left[r]);
      }
      step.flush();
    }
  }
}

}  // namespace
}  // namespace alltoall_cayley_ports_parts

constinit const Algorithm alltoall_cayley_ports = {
    .name = "alltoall_cayley_ports",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "all nodes of a Cayley graph forward as many relative messages as they have ports, along other generators",
    .source = "ours; one port: collective communication dissertation 1996, theorem 4.11",
    .remarks =
        "any Cayley graph of up to 4,096 nodes, ports between one and all; mostly the total distance of a node over the ports, which is "
        "optimal",
    .same_at_all_nodes = always,
    .applies = alltoall_cayley_ports_parts::applies,
    .prepare = by_search<alltoall_cayley_ports_parts::program_of, alltoall_cayley_ports_parts::predicted,
                         alltoall_cayley_ports_parts::generate>,
};

}  // namespace quadrille::algorithms
