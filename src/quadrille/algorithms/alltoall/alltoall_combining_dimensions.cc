// Total exchange in few start-ups, one dimension of a product after the other.
//
// Along each line of a dimension all blocks that have the same way in that dimension go together, by the routes that
// message combining finds on the factor (graphs/level_routes.h): what is searched is as small as the factor, however large the
// product. Where the dimensions are taken in turn, the links of all others wait. So blocks are parted into classes, by the sum
// of all their coordinates: class c begins with dimension c, and all dimensions are busy in every stage.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/over_lanes.h"
#include "quadrille/algorithms/packing/through_ports.h"
#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/base/text.h"
#include "quadrille/base/work_count.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_combining_dimensions;

namespace alltoall_combining_dimensions_parts {
namespace {

// Of whose pairs the ways are searched for.
constexpr uint32_t kMostNodesOfFactor = 256;
constexpr uint32_t kMostNodesOfCayley = 4096;
// Up to which that takes a moment.
constexpr uint32_t kFewNodesOfFactor = 64;

Applicability applies(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (Applicability fits = bundles_as_switched(with_all_links(problem)); !fits.applies) return fits;
  if (problem.collective().pieces() > 1)
    return Applicability::no("blocks in pieces take the same ways: it sends them whole");
  if (topology.cayley() != nullptr && topology.num_nodes() <= kMostNodesOfCayley)
    return Applicability::no("alltoall_combining knows that all nodes of a Cayley graph are alike");
  if (topology.product() == nullptr || topology.product()->factors.size() < 2)
    return Applicability::no(fmt::format("{} is not a product of networks", topology.name()));
  if (topology.has_routers())
    return Applicability::no(
        fmt::format("{} has routers: lines of ranks are exchanged along", topology.name()));
  for (const Topology& factor : topology.product()->factors) {
    if (factor.num_nodes() > kMostNodesOfFactor)
      return Applicability::no(
          fmt::format("it searches for ways in each dimension: of at most {} nodes, {} has {}",
                      kMostNodesOfFactor, factor.name(), with_thousands(factor.num_nodes())));
  }
  return Applicability::yes();
}

// From one coordinate to another, in one dimension.
struct Pair {
  uint32_t from;
  uint32_t to;
};
// What goes over a link of the factor in one level.
struct Message {
  NodeId tail;
  NodeId head;
  uint32_t capacity;
  std::vector<Pair> pairs;
};
using Level = std::vector<Message>;

std::vector<Level> levels_of(const Topology& factor, Model model) {
  model.send = model.receive = kAllPorts;
  model.switching = Switching::kPacket;  // one message for each link, however many lanes it has
  model.packets = Packets::kMany;
  model.queue_limit.reset();
  model.routing = Model{}.routing;  // of hops by themselves any order is as good
  const Problem problem = standard_problem(factor, CollectiveKind::kAlltoall, model);
  Plan plan;
  KeptPaths::level_routes(problem, distance_summary(factor).diameter)->generate(problem, plan);
  std::vector<Level> out(plan.num_steps());
  for (size_t s = 0; s < out.size(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      const ArcId arc = step.arcs(t)[0];
      Message& message =
          out[s].emplace_back(Message{factor.tail(arc), factor.head(arc), factor.capacity(arc), {}});
      for (const BlockId block : step.blocks(t))
        message.pairs.push_back({static_cast<uint32_t>(index(problem.origin(block))),
                                 static_cast<uint32_t>(index(problem.destination(block)))});
    }
  }
  return out;
}

// By dimension; equal factors are searched once.
using Levels = std::vector<std::vector<Level>>;

Levels levels_of_factors(const Problem& problem) {
  count_work(Work::kSearching);
  const std::vector<Topology>& factors = problem.topology().product()->factors;
  Levels out;
  for (size_t i = 0; i < factors.size(); ++i) {
    size_t same = 0;
    while (!factors[same].same_graph(factors[i])) ++same;
    out.push_back(same < i ? out[same] : levels_of(factors[i], problem.model()));
  }
  return out;
}

class Dimensions {
 public:
  Dimensions(const Problem& problem, std::shared_ptr<const Levels> levels, bool at_once)
      : product_(*problem.topology().product()),
        size_(product_.factors.size()),
        classes_(at_once ? static_cast<uint32_t>(size_) : 1),
        levels_(std::move(levels)) {
    predict();
  }

  [[nodiscard]] const Prediction& prediction() const { return prediction_; }

  void generate(const Problem& problem, StepSink& sink) const {
    StepBuilder step;
    for (uint32_t stage = 0; stage < size_; ++stage) {
      std::vector<std::pair<size_t, Others>> busy;
      for (const size_t i : dimensions_in(stage)) busy.emplace_back(i, others_of(i, stage));
      for (size_t l = 0; l < most_levels(stage); ++l) {
        for (const auto& [i, others] : busy)
          if (l < (*levels_)[i].size()) add(problem, i, stage, (*levels_)[i][l], others, step);
        step.flush(sink);
      }
    }
  }

 private:
  // Coordinates in the other dimensions that a line does not fix: blocks that have come along a dimension may have begun
  // anywhere in it, those that have still to go along it may end anywhere.
  struct Free {
    uint32_t source;
    uint32_t destination;
  };
  struct Others {
    std::vector<std::vector<Free>> by_class;  // by the sum of those coordinates, modulo the classes
  };

  [[nodiscard]] uint32_t class_of(size_t dimension, uint32_t stage) const {
    if (classes_ == 1) return 0;
    return static_cast<uint32_t>((dimension + size_ - stage) % size_);
  }
  [[nodiscard]] std::vector<size_t> dimensions_in(uint32_t stage) const {
    std::vector<size_t> out;
    for (uint32_t c = 0; c < classes_; ++c) out.push_back((c + stage) % size_);
    return out;
  }
  // Whether blocks that go along `dimension` in this stage have gone along the other one.
  [[nodiscard]] bool is_done(size_t other, size_t dimension, uint32_t stage) const {
    return (other + size_ - (dimension + size_ - stage) % size_) % size_ < stage;
  }
  [[nodiscard]] size_t most_levels(uint32_t stage) const {
    size_t most = 0;
    for (const size_t i : dimensions_in(stage)) most = std::max(most, (*levels_)[i].size());
    return most;
  }

  [[nodiscard]] Others others_of(size_t dimension, uint32_t stage) const {
    Others out;
    out.by_class.resize(classes_);
    out.by_class[0].push_back({0, 0});
    for (size_t j = 0; j < size_; ++j) {
      if (j == dimension) continue;
      std::vector<std::vector<Free>> more(classes_);
      const bool done = is_done(j, dimension, stage);
      for (uint32_t value = 0; value < product_.factors[j].num_nodes(); ++value) {
        const uint32_t step = value * product_.strides[j];
        for (uint32_t c = 0; c < classes_; ++c)
          for (const Free& f : out.by_class[c])
            more[(c + value) % classes_].push_back(
                {f.source + (done ? step : 0), f.destination + (done ? 0 : step)});
      }
      out.by_class = std::move(more);
    }
    return out;
  }

  [[nodiscard]] uint32_t class_of_others(size_t dimension, uint32_t stage, const Pair& pair,
                                         uint32_t line) const {
    const uint32_t taken = (pair.from % classes_ + pair.to % classes_ + line) % classes_;
    return (class_of(dimension, stage) + classes_ - taken) % classes_;
  }

  void add(const Problem& problem, size_t i, uint32_t stage, const Level& level, const Others& others,
           StepBuilder& step) const {
    const Topology& topology = problem.topology();
    const uint32_t stride = product_.strides[i];
    std::vector<BlockId> blocks;
    // How far a block's number is from that of the first one of the same pair on a line.
    const Collective& collective = problem.collective();
    std::vector<std::vector<uint32_t>> apart(classes_);
    for (uint32_t c = 0; c < classes_; ++c)
      for (const Free& f : others.by_class[c])
        apart[c].push_back(
            static_cast<uint32_t>(index(collective.block(Rank{f.source}, Rank{f.destination}))));
    for (const NodeId at : topology.nodes()) {
      if (product_.coordinate(at, i) != 0) continue;  // a line each
      uint32_t line = 0;
      uint32_t source = 0;
      uint32_t destination = 0;
      for (size_t j = 0; j < size_; ++j) {
        if (j == i) continue;
        const uint32_t value = product_.coordinate(at, j);
        line += value % classes_;
        (is_done(j, i, stage) ? destination : source) += value * product_.strides[j];
      }
      for (const Message& message : level) {
        blocks.clear();
        for (const Pair& pair : message.pairs) {
          const auto first = static_cast<uint32_t>(index(
              collective.block(Rank{source + pair.from * stride}, Rank{destination + pair.to * stride})));
          for (const uint32_t number : apart[class_of_others(i, stage, pair, line)])
            blocks.push_back(BlockId{first + number});
        }
        if (blocks.empty()) continue;
        const auto on_line = [&](NodeId coordinate) {
          return product_.with_coordinate(at, i, static_cast<uint32_t>(index(coordinate)));
        };
        add_over_lanes(problem, *topology.find_arc(on_line(message.tail), on_line(message.head)), blocks,
                       step);
      }
    }
  }

  // Classes of lines, by the sum of the coordinates that are the same on them.
  [[nodiscard]] std::vector<bool> lines_of(size_t dimension) const {
    std::vector<bool> out(classes_, false);
    out[0] = true;
    for (size_t j = 0; j < size_; ++j) {
      if (j == dimension) continue;
      std::vector<bool> more(classes_, false);
      for (uint32_t c = 0; c < classes_; ++c) {
        if (!out[c]) continue;
        const uint32_t nodes = std::min(product_.factors[j].num_nodes(), classes_);
        for (uint32_t value = 0; value < nodes; ++value) more[(c + value) % classes_] = true;
      }
      out = std::move(more);
    }
    return out;
  }

  void predict() {
    uint64_t steps = 0;
    uint64_t rounds = 0;
    // By dimension, class of lines, and link of the factor: its tail and head.
    std::vector<std::vector<std::vector<uint64_t>>> loads(size_);
    for (size_t i = 0; i < size_; ++i) {
      const size_t nodes = product_.factors[i].num_nodes();
      loads[i].assign(classes_, std::vector<uint64_t>(nodes * nodes, 0));
    }
    for (uint32_t stage = 0; stage < size_; ++stage) {
      std::vector<uint64_t> most(most_levels(stage), 0);
      for (const size_t i : dimensions_in(stage)) {
        const Others others = others_of(i, stage);
        const std::vector<bool> lines = lines_of(i);
        for (size_t l = 0; l < (*levels_)[i].size(); ++l) {
          for (const Message& message : (*levels_)[i][l]) {
            for (uint32_t line = 0; line < classes_; ++line) {
              if (!lines[line]) continue;
              uint64_t load = 0;
              for (const Pair& pair : message.pairs)
                load += others.by_class[class_of_others(i, stage, pair, line)].size();
              most[l] = std::max(most[l], (load + message.capacity - 1) / message.capacity);
              loads[i][line][index(message.tail) * product_.factors[i].num_nodes() + index(message.head)] +=
                  load;
            }
          }
        }
      }
      steps += most.size();
      for (const uint64_t level : most) rounds += level;
    }
    uint64_t busiest = 0;
    for (const auto& of_dimension : loads)
      for (const auto& of_line : of_dimension)
        for (const uint64_t load : of_line) busiest = std::max(busiest, load);
    prediction_ = {.steps = steps,
                   .start_ups = steps,
                   .busiest_link = busiest,
                   .critical_blocks = rounds,
                   .critical_hops = steps};
  }

  const ProductStructure product_;
  size_t size_;
  uint32_t classes_;
  std::shared_ptr<const Levels> levels_;
  Prediction prediction_;
};

Effort effort_on(const Problem& problem) {
  for (const Topology& factor : problem.topology().product()->factors)
    if (factor.num_nodes() > kFewNodesOfFactor) return Effort::kMuch;
  return problem.model().switching == Switching::kPacket ? Effort::kLittle : Effort::kMuch;
}

Chunking chunks(const Problem&) { return {}; }

Preparation prepare_wide(const Problem& problem) {
  // Both members go by the same levels.
  const auto levels = std::make_shared<Once<std::shared_ptr<const Levels>>>(
      problem, [](const Problem& p) { return std::make_shared<const Levels>(levels_of_factors(p)); });
  Preparation out;
  for (const bool at_once : {true, false}) {
    const auto made = std::make_shared<Once<Dimensions>>(
        problem, [levels, at_once](const Problem& p) { return Dimensions(p, levels->get(), at_once); });
    out.plans.push_back(std::make_shared<Prepared>(
        problem, [made](const Problem&) { return made->get().prediction(); },
        [made](const Problem& p, StepSink& sink) { made->get().generate(p, sink); }, effort_on(problem),
        at_once ? "at_once" : "in_turn"));
  }
  return out;
}

Preparation prepare(const Problem& problem) { return through_ports(problem, prepare_wide); }

}  // namespace
}  // namespace alltoall_combining_dimensions_parts

constinit const Algorithm alltoall_combining_dimensions = {
    .name = "alltoall_combining_dimensions",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "along one dimension after the other a link carries as one message all blocks that are routed over it then",
    .source =
        "ours; message combining after Bruck et al. 1997, dimension by dimension as in Suh and Shin 2001",
    .remarks =
        "products of networks of up to 256 nodes each; with fewer ports than links a step becomes as many as its ports need; "
        "members take the dimensions in turn, or all at once, each for a class of blocks; as many "
        "start-ups as the diameters together, or as dimensions times the largest diameter",
    .applies = alltoall_combining_dimensions_parts::applies,
    .chunks = alltoall_combining_dimensions_parts::chunks,
    .prepare = alltoall_combining_dimensions_parts::prepare,
};

}  // namespace quadrille::algorithms
