#include <fmt/format.h>

#include <array>
#include <iterator>
#include <vector>

#include "quadrille/base/json/json_text.h"
#include "quadrille/base/numbers/cost_number.h"
#include "quadrille/collective/counts.h"
#include "quadrille/schedule/plan_format.h"
#include "quadrille/schedule/plan_json.h"

namespace quadrille {
namespace {

// A part of this size is handed on; larger ones are no faster.
constexpr size_t kJsonPart = 1 << 16;

class JsonPlanWriter final : public PlanWriter {
 public:
  JsonPlanWriter(const PlanHead& head, TextOutput output)
      : problem_(head.problem), output_(std::move(output)) {
    add("{{\"format\":\"quadrille-plan\",\"version\":1,\n");
    add_topology();
    add_collective();
    add_model();
    add_remarks(head);
    add("\"steps\":[");
  }

  void push(const StepView& step) override {
    add("{}\n[", first_step_ ? "" : ",");
    first_step_ = false;
    for (size_t t = 0; t < step.size(); ++t) {
      if (t > 0) add(",");
      add_transfer(step.arcs(t), step.blocks(t), step.op(t), step.slots_of(t));
      if (buffer_.size() >= kJsonPart) hand_on();
    }
    add("]");
  }

  void finish() override {
    add("\n]}}\n");
    hand_on();
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
  }

  void add_number(uint64_t number) {
    const fmt::format_int digits(number);
    buffer_.append(digits.data(), digits.data() + digits.size());
  }

  void hand_on() {
    output_(std::string_view(buffer_.data(), buffer_.size()));
    buffer_.clear();
  }

  void add_topology() {
    const Topology& topology = problem_.topology();
    add("\"topology\":{{\"spec\":{},\"nodes\":{},\n", json_string(topology.name()), topology.num_nodes());
    add("  \"endpoints\":[");
    for (uint32_t r = 0; r < topology.num_endpoints(); ++r) {
      if (r > 0) add(",");
      add_number(index(topology.endpoint(Rank{r})));
    }
    add("],\n  \"links\":[");
    for (const ArcId arc : topology.arcs()) {
      add("{}[{},{},{}]", index(arc) == 0 ? "" : ",", index(topology.tail(arc)), index(topology.head(arc)),
          topology.capacity(arc));
      if (buffer_.size() >= kJsonPart) hand_on();
    }
    add("]");
    const std::vector<std::string> labels = labels_to_state(topology);
    for (size_t v = 0; v < labels.size(); ++v) {
      add("{}{}", v == 0 ? ",\n  \"labels\":[" : ",", json_string(labels[v]));
      if (buffer_.size() >= kJsonPart) hand_on();
    }
    if (!labels.empty()) add("]");
    add("}},\n");
  }

  void add_collective() {
    const Collective& collective = problem_.collective();
    const std::optional<Rank> root = collective.root();
    add("\"collective\":{{\"kind\":\"{}\",\"root\":{},\"pieces\":{}", collective.name(),
        root ? fmt::format("{}", index(problem_.topology().endpoint(*root))) : "null", collective.pieces());
    if (collective.counts() != nullptr) add_counts(*collective.counts());
    add("}},\n");
  }

  void add_counts(const Counts& counts) {
    const auto node = [this](Rank rank) { return index(problem_.topology().endpoint(rank)); };
    add(",\n  \"counts\":[");
    std::string_view comma;
    for (const Counts::Entry& e : counts.entries()) {
      add("{}[{},{},{}]", comma, node(e.from), node(e.to), e.count);
      comma = ",";
      if (buffer_.size() >= kJsonPart) hand_on();
    }
    add("]");
  }

  void add_model() {
    const Model& model = problem_.model();
    add("\"model\":{{\"send_ports\":\"{}\",\"receive_ports\":\"{}\",\"switching\":\"{}\",\"duplex\":\"{}\"",
        to_text(model.send), to_text(model.receive), to_text(model.switching), to_text(model.duplex));
    if (model.packets != Packets::kOne) add(",\"packets\":\"{}\"", to_text(model.packets));
    if (model.routing != Routing::kAny) add(",\"routing\":\"{}\"", to_text(model.routing));
    if (model.combining != Operator::kCommutative) add(",\"operator\":\"{}\"", to_text(model.combining));
    if (model.chunks != Chunks::kAnyOrder) add(",\"chunks\":\"{}\"", to_text(model.chunks));
    if (model.queue_limit) add(",\"queues\":{}", *model.queue_limit);
    if (model.queues_per != QueuesPer::kOutgoing) add(",\"queues_per\":\"{}\"", to_text(model.queues_per));
    if (model.cost != CostConstants{}) {
      add(",\"ts\":{},\"tx\":{},\"tl\":{},\"rho\":{}", model.cost.ts, model.cost.tx, model.cost.tl,
          model.cost.rho);
      if (model.cost.to > 0) add(",\"to\":{}", model.cost.to);
      if (model.cost.in_microseconds) add(",\"time\":\"{}\"", kMicroseconds);
    }
    add("}},\n");
  }

  void add_remarks(const PlanHead& head) {
    if (!head.algorithm.empty()) add("\"algorithm\":{},\n", json_string(plain_name(head.algorithm)));
    if (!head.stated_figures.empty()) {
      add("\"claims\":{{");
      std::string_view comma;
      const auto claim = [&](std::string_view name, const std::optional<uint64_t>& value) {
        if (!value) return;
        add("{}\"{}\":{}", comma, name, *value);
        comma = ",";
      };
      claim("steps", head.stated_figures.steps);
      claim("start_ups", head.stated_figures.start_ups);
      claim("busiest_link", head.stated_figures.busiest_link);
      claim("critical_blocks", head.stated_figures.critical_blocks);
      add("}},\n");
    }
    if (!head.bounds.empty()) add_bounds(head);
    if (head.synchronisation) add_synchronisation(*head.synchronisation);
  }

  void add_bounds(const PlanHead& head) {
    add("\"bounds\":[");
    for (size_t i = 0; i < head.bounds.size(); ++i) {
      add("{}{{\"name\":{},\"value\":\"{}\"", i == 0 ? "" : ",", json_string(plain_name(head.bounds[i].name)),
          head.bounds[i].value.to_string());
      if (const std::optional<BoundWitness>& witness = head.bounds[i].witness) {
        add(",\n  \"witness\":{{");
        std::visit([this](const auto& kind) { add_witness(kind); }, *witness);
        add("}}");
      }
      add("}}");
    }
    add("],\n");
  }

  void add_list(std::string_view kind, const std::vector<NodeId>& nodes) {
    add("\"{}\":[", kind);
    for (size_t i = 0; i < nodes.size(); ++i) add("{}{}", i == 0 ? "" : ",", index(nodes[i]));
    add("]");
  }
  void add_witness(const CutWitness& cut) { add_list("cut", cut.nodes); }
  void add_witness(const BetweenWitness& among) { add_list("between", among.nodes); }
  void add_witness(const OrderWitness& order) {
    add("\"order\":[{}", order.cut);
    for (const uint32_t side : order.sides) add(",{}", side);
    add("]");
  }
  void add_witness(const NodeWitness& at) { add("\"node\":{}", index(at.node)); }
  void add_witness(const InformedWitness& from) { add("\"informed\":[{},{}]", index(from.node), from.hops); }
  void add_witness(const WeightsWitness& weights) {
    add("\"weights\":{{\"links\":[");
    for (size_t i = 0; i < weights.links.size(); ++i) {
      const WeightsWitness::Link& link = weights.links[i];
      add("{}[{},{},{}]", i == 0 ? "" : ",", index(link.tail), index(link.head), link.weight);
      if (buffer_.size() >= kJsonPart) hand_on();
    }
    const auto nodes = [this](std::string_view side, const std::vector<WeightsWitness::Node>& weighed) {
      add("],\n   \"{}\":[", side);
      for (size_t i = 0; i < weighed.size(); ++i)
        add("{}[{},{}]", i == 0 ? "" : ",", index(weighed[i].node), weighed[i].weight);
    };
    nodes("senders", weights.senders);
    nodes("receivers", weights.receivers);
    add("]}}");
  }
  void add_witness(const TimesWitness& cut) {
    add("\"times\":[");
    for (size_t i = 0; i < cut.times.size(); ++i) add("{}{}", i == 0 ? "" : ",", cut.times[i]);
    add("]");
  }
  void add_witness(const SendsWitness& sends) { add("\"sends\":{}", sends.steps); }
  void add_witness(const RefutationWitness& refutation) {
    add("\"refutation\":{{\"steps\":{},\"lemmas\":[", refutation.steps);
    for (size_t i = 0; i < refutation.lemmas.size(); ++i) {
      add("{}[", i == 0 ? "" : ",");
      for (size_t j = 0; j < refutation.lemmas[i].size(); ++j)
        add("{}{}", j == 0 ? "" : ",", refutation.lemmas[i][j]);
      add("]");
      if (buffer_.size() >= kJsonPart) hand_on();
    }
    add("]}}");
  }

  void add_synchronisation(const PlanSynchronisation& sync) {
    add("\"synchronisation\":{{\"apart\":\"{}\",\"barriers\":[", apart_text(sync.ports));
    for (size_t i = 0; i < sync.barriers.size(); ++i) add("{}{}", i == 0 ? "" : ",", sync.barriers[i] + 1);
    add("],\"signals\":[");
    for (size_t i = 0; i < sync.signals.size(); ++i) {
      const Signal& s = sync.signals[i];
      add("{}\n {{\"from\":{},\"after_step\":{},\"to\":{},\"before_step\":{}}}", i == 0 ? "" : ",",
          index(s.from), s.after_step + 1, index(s.to), s.before_step + 1);
      if (buffer_.size() >= kJsonPart) hand_on();
    }
    add("]");
    if (!sync.priorities.empty()) add_priorities(sync.priorities);
    add("}},\n");
  }

  void add_priorities(std::span<const Priority> priorities) {
    add(",\"priorities\":[");
    for (size_t i = 0; i < priorities.size(); ++i) {
      const Priority& p = priorities[i];
      add("{}\n {{\"step\":{},\"level\":{}", i == 0 ? "" : ",", p.step + 1, p.level);
      if (!p.of_whole_step()) add(",\"from\":{},\"to\":{}", index(p.from), index(p.to));
      add("}}");
      if (buffer_.size() >= kJsonPart) hand_on();
    }
    add("]");
  }

  void add_transfer(std::span<const ArcId> arcs, std::span<const BlockId> blocks, TransferOp op,
                    SumSlots slots) {
    path_nodes(problem_.topology(), arcs, nodes_);
    char separator = '[';
    add("{{\"path\":");
    for (const NodeId node : nodes_) {
      buffer_.push_back(separator);
      separator = ',';
      if (node == kNoNode) {
        add("null");
      } else {
        add_number(index(node));
      }
    }
    add("],\"blocks\":[");
    for (size_t b = 0; b < blocks.size(); ++b) {
      if (b > 0) buffer_.push_back(',');
      const BlockName name = problem_.block_name(blocks[b]);
      for (uint32_t i = 0; i < name.size; ++i) {
        buffer_.push_back(i == 0 ? '[' : ',');
        add_number(name.parts[i]);
      }
      buffer_.push_back(']');
    }
    add("]{}", op == TransferOp::kCopy ? ",\"op\":\"copy\"" : "");
    if (slots.from != SumSlots::kAll) {
      std::string_view before = ",\"from\":[";
      for (uint32_t slot = 0; slot < SumSlots::kCount; ++slot) {
        if ((slots.from >> slot & 1U) == 0) continue;
        add("{}{}", before, slot);
        before = ",";
      }
      add("]");
    }
    if (slots.to != 0) add(",\"to\":{}", slots.to);
    add("}}");
  }

  Problem problem_;
  TextOutput output_;
  fmt::memory_buffer buffer_;
  std::vector<NodeId> nodes_;
  bool first_step_ = true;
};

}  // namespace

std::unique_ptr<PlanWriter> json_plan_writer(const PlanHead& head, TextOutput output) {
  return std::make_unique<JsonPlanWriter>(head, std::move(output));
}

std::string write_plan_json(const PlanFile& file) {
  std::string out;
  JsonPlanWriter writer(file, [&out](std::string_view part) { out += part; });
  file.plan.replay(writer);
  writer.finish();
  return out;
}

namespace plan_formats {

namespace {
constexpr std::array<std::string_view, 1> kJsonExtensions = {".json"};
}  // namespace

extern const PlanFormat json;

const PlanFormat json{
    .name = "json",
    .extensions = kJsonExtensions,
    .readers = "programs",
    .recognises = [](std::string_view start) { return start.starts_with('{') || start.starts_with('['); },
    .read = read_plan_json,
    .writer = json_plan_writer,
};

}  // namespace plan_formats

}  // namespace quadrille
