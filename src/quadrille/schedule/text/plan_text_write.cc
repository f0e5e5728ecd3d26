#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <vector>

#include "quadrille/base/numbers/cost_number.h"
#include "quadrille/collective/counts.h"
#include "quadrille/schedule/plan_format.h"
#include "quadrille/schedule/plan_text.h"
#include "quadrille/schedule/stated_topology.h"
#include "quadrille/schedule/text/plan_text_transfers.h"

namespace quadrille {
namespace {

// A part of this size is handed on; larger ones are no faster.
constexpr size_t kTextPart = 1 << 16;
// Larger plans are for programs, which need no names beside the numbers.
constexpr uint32_t kMostNamed = 256;  // nodes
constexpr size_t kMostNamedBlocks = 3;

class TextPlanWriter final : public PlanWriter {
 public:
  TextPlanWriter(const PlanHead& head, TextOutput output)
      : problem_(head.problem), output_(std::move(output)) {
    add("quadrille-plan 1\n");
    add("topology {}\n", plain_name(problem_.topology().name()));
    if (!name_suffices(problem_.topology())) add_graph();
    named_ = problem_.topology().num_nodes() <= kMostNamed && !labels_to_state(problem_.topology()).empty();
    add_collective();
    add_model();
    if (!head.algorithm.empty()) add("algorithm {}\n", plain_name(head.algorithm));
    add_claims(head.stated_figures);
    for (const PlanBound& bound : head.bounds) {
      add("bound {} {}\n", plain_name(bound.name), bound.value.to_string());
      if (bound.witness) std::visit([this](const auto& witness) { add_witness(witness); }, *bound.witness);
    }
    if (head.synchronisation) add_synchronisation(*head.synchronisation);
  }

  void push(const StepView& step) override {
    add("step  # {}\n", ++steps_);
    for (size_t t = 0; t < step.size(); ++t) {
      line_.clear();
      plan_text::append_transfer(problem_, step.arcs(t), step.blocks(t), step.op(t), step.slots_of(t), nodes_,
                                 line_);
      if (named_) add_names(step.blocks(t));
      buffer_.append(line_.data(), line_.data() + line_.size());
      if (buffer_.size() >= kTextPart) hand_on();
    }
  }

  void finish() override { hand_on(); }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
  }

  void hand_on() {
    output_(std::string_view(buffer_.data(), buffer_.size()));
    buffer_.clear();
  }

  // Behind the transfer in line_, whose path is in nodes_: the same as people call it.
  void add_names(std::span<const BlockId> blocks) {
    line_.pop_back();
    std::string names;
    for (const NodeId v : nodes_) {
      if (!names.empty()) names += " > ";
      names += v == kNoNode ? "?" : problem_.topology().label(v);
    }
    for (size_t i = 0; i < std::min(blocks.size(), kMostNamedBlocks); ++i)
      names += (i == 0 ? ": " : ", ") + problem_.block_label(blocks[i]);
    if (blocks.size() > kMostNamedBlocks)
      names += fmt::format(" and {} more", blocks.size() - kMostNamedBlocks);
    line_ += "  # " + plain_name(names) + "\n";
  }

  void add_graph() {
    const Topology& topology = problem_.topology();
    add("nodes {}\n", topology.num_nodes());
    if (topology.has_routers()) add_endpoints(topology.endpoints());
    for (const ArcId arc : topology.arcs()) {
      const NodeId tail = topology.tail(arc);
      const NodeId head = topology.head(arc);
      const ArcId back = topology.reverse(arc);
      const bool both = back != kNoArc && topology.capacity(back) == topology.capacity(arc);
      if (both && head < tail) continue;
      add("{} {} {}", both ? "link" : "arc", index(tail), index(head));
      if (topology.capacity(arc) != 1) add(" {}", topology.capacity(arc));
      add("\n");
      if (buffer_.size() >= kTextPart) hand_on();
    }
    const std::vector<std::string> labels = labels_to_state(topology);
    for (size_t v = 0; v < labels.size(); ++v) {
      add("label {} {}\n", v, labels[v]);
      if (buffer_.size() >= kTextPart) hand_on();
    }
  }

  // Three or more in a row are written 4..9.
  void add_endpoints(std::span<const NodeId> endpoints) {
    add("endpoints");
    add_nodes(endpoints);
  }
  void add_nodes(std::span<const NodeId> nodes) {
    for (size_t i = 0; i < nodes.size();) {
      size_t last = i;
      while (last + 1 < nodes.size() && index(nodes[last + 1]) == index(nodes[last]) + 1) ++last;
      if (last < i + 2) last = i;
      add(" {}", index(nodes[i]));
      if (last > i) add("..{}", index(nodes[last]));
      i = last + 1;
    }
    add("\n");
  }

  void add_witness(const CutWitness& cut) {
    add("witness cut");
    add_nodes(cut.nodes);
  }
  void add_witness(const NodeWitness& at) { add("witness node {}\n", index(at.node)); }
  void add_witness(const InformedWitness& from) {
    add("witness informed {} {}\n", index(from.node), from.hops);
  }
  void add_witness(const WeightsWitness& weights) {
    add("witness weights\n");
    for (const WeightsWitness::Link& link : weights.links) {
      add("weight link {} {} {}\n", index(link.tail), index(link.head), link.weight);
      if (buffer_.size() >= kTextPart) hand_on();
    }
    for (const WeightsWitness::Node& at : weights.senders)
      add("weight sender {} {}\n", index(at.node), at.weight);
    for (const WeightsWitness::Node& at : weights.receivers)
      add("weight receiver {} {}\n", index(at.node), at.weight);
  }
  void add_witness(const TimesWitness& cut) {
    add("witness times");
    for (const uint32_t time : cut.times) add(" {}", time);
    add("\n");
  }
  void add_witness(const BetweenWitness& among) {
    add("witness between");
    add_nodes(among.nodes);
  }
  void add_witness(const OrderWitness& order) {
    add("witness order {}", order.cut);
    for (const uint32_t side : order.sides) add(" {}", side);
    add("\n");
  }
  void add_witness(const SendsWitness& sends) { add("witness sends {}\n", sends.steps); }
  void add_witness(const RefutationWitness& refutation) {
    add("witness refutation {}\n", refutation.steps);
    for (const std::vector<uint32_t>& lemma : refutation.lemmas) {
      add("lemma");
      for (const uint32_t literal : lemma) add(" {}", literal);
      add("\n");
      if (buffer_.size() >= kTextPart) hand_on();
    }
  }

  void add_collective() {
    const Collective& collective = problem_.collective();
    add("collective {}", collective.name());
    if (const std::optional<Rank> root = collective.root()) {
      add(" root={}", index(problem_.topology().endpoint(*root)));
    }
    if (collective.pieces() != 1) add(" pieces={}", collective.pieces());
    add("\n");
    if (collective.counts() != nullptr) add_counts(*collective.counts());
  }

  void add_counts(const Counts& counts) {
    const auto node = [this](Rank rank) { return index(problem_.topology().endpoint(rank)); };
    for (const Counts::Entry& e : counts.entries()) {
      add("count {} {} {}\n", node(e.from), node(e.to), e.count);
      if (buffer_.size() >= kTextPart) hand_on();
    }
  }

  void add_model() {
    const Model& model = problem_.model();
    add("model send={} receive={} switching={} duplex={}", to_text(model.send), to_text(model.receive),
        to_text(model.switching), to_text(model.duplex));
    if (model.packets != Packets::kOne) add(" packets={}", to_text(model.packets));
    if (model.routing != Routing::kAny) add(" routing={}", to_text(model.routing));
    if (model.combining != Operator::kCommutative) add(" operator={}", to_text(model.combining));
    if (model.chunks != Chunks::kAnyOrder) add(" chunks={}", to_text(model.chunks));
    if (model.queue_limit) add(" queues={}", *model.queue_limit);
    if (model.queues_per != QueuesPer::kOutgoing) add(" queues_per={}", to_text(model.queues_per));
    if (model.cost != CostConstants{}) {
      add(" ts={} tx={} tl={} rho={}", model.cost.ts, model.cost.tx, model.cost.tl, model.cost.rho);
      if (model.cost.to > 0) add(" to={}", model.cost.to);
      if (model.cost.in_microseconds) add(" time={}", kMicroseconds);
    }
    add("\n");
  }

  void add_claims(const StatedFigures& claims) {
    if (claims.empty()) return;
    add("claim");
    if (claims.steps) add(" steps={}", *claims.steps);
    if (claims.start_ups) add(" start_ups={}", *claims.start_ups);
    if (claims.busiest_link) add(" busiest_link={}", *claims.busiest_link);
    if (claims.critical_blocks) add(" critical_blocks={}", *claims.critical_blocks);
    add("\n");
  }

  void add_synchronisation(const PlanSynchronisation& sync) {
    add("synchronisation apart={}\n", apart_text(sync.ports));
    for (const uint32_t step : sync.barriers) add("barrier after={}\n", step + 1);
    for (const Signal& s : sync.signals) {
      add("signal from={} after={} to={} before={}\n", index(s.from), s.after_step + 1, index(s.to),
          s.before_step + 1);
      if (buffer_.size() >= kTextPart) hand_on();
    }
    for (const Priority& p : sync.priorities) {
      add("priority step={} level={}", p.step + 1, p.level);
      if (!p.of_whole_step()) add(" from={} to={}", index(p.from), index(p.to));
      add("\n");
    }
  }

  Problem problem_;
  TextOutput output_;
  fmt::memory_buffer buffer_;
  std::vector<NodeId> nodes_;
  std::string line_;
  uint64_t steps_ = 0;
  bool named_ = false;  // transfers have the names of their nodes beside them
};

}  // namespace

std::unique_ptr<PlanWriter> text_plan_writer(const PlanHead& head, TextOutput output) {
  return std::make_unique<TextPlanWriter>(head, std::move(output));
}

std::string write_plan_text(const PlanFile& file) {
  std::string out;
  TextPlanWriter writer(file, [&out](std::string_view part) { out += part; });
  file.plan.replay(writer);
  writer.finish();
  return out;
}

namespace plan_formats {

namespace {
constexpr std::array<std::string_view, 1> kTextExtensions = {".plan"};
}  // namespace

extern const PlanFormat text;

const PlanFormat text{
    .name = "text",
    .extensions = kTextExtensions,
    .readers = "people",
    .recognises = [](std::string_view start) { return start.starts_with("quadrille-plan"); },
    .read = read_plan_text,
    .writer = text_plan_writer,
};

}  // namespace plan_formats

}  // namespace quadrille
