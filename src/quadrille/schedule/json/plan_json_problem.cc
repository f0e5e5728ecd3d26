#include "quadrille/schedule/json/plan_json_problem.h"

#include <fmt/format.h>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/cost_number.h"
#include "quadrille/schedule/plan_file.h"

namespace quadrille::plan_json {
namespace {

constexpr const char* kCountForm = "a count is [from, to, blocks]";
constexpr const char* kLinkForm = "a link is [tail, head] or [tail, head, capacity]";

}  // namespace

template <typename Act>
void ProblemReader::at(Token token, std::string_view place, Act act) const {
  try {
    act();
  } catch (const InputError& error) {
    text_.fail_at(token, place, error.what());
  }
}

void ProblemReader::open(In inside, Token token) {
  switch (inside) {
    case In::kTopology:
      topology_token_ = token;
      return;
    case In::kCollective:
      collective_has_come_ = true;
      return;
    case In::kModel:
      model_token_ = token;
      return;
    case In::kEndpoints:
      topology_.endpoints.emplace();
      endpoints_token_ = token;
      return;
    case In::kLabels:
      labels_token_ = token;
      return;
    case In::kLinks:
      topology_.links.emplace();
      links_token_ = token;
      return;
    case In::kLink:
      links_at_.push_back(token.begin);
      return;
    case In::kCount:
      counts_at_.push_back(token.begin);
      return;
    default:
      return;
  }
}

void ProblemReader::close(In inside, uint64_t count) {
  if (inside == In::kLink) {
    if (count < 2) throw InputError(kLinkForm);
    topology_.links->push_back({numbers_[0], numbers_[1], count == 3 ? numbers_[2] : 1});
  }
  if (inside == In::kCount) {
    if (count != 3) throw InputError(kCountForm);
    counts_.push_back({numbers_[0], numbers_[1], numbers_[2]});
  }
}

void ProblemReader::number(Key key, uint64_t place, uint64_t value, Token token) {
  switch (key) {
    case Key::kLinkNumber:
      if (place >= numbers_.size()) throw InputError(kLinkForm);
      numbers_[place] = small_number(value, "a number in a link");
      return;
    case Key::kCountNumber:
      if (place >= numbers_.size()) throw InputError(kCountForm);
      numbers_[place] = small_number(value, "a number in a count");
      return;
    case Key::kNodes:
      topology_.nodes = small_number(value, "the number of nodes");
      nodes_token_ = token;
      return;
    case Key::kEndpoint:
      topology_.endpoints->push_back(NodeId{small_number(value, "a node")});
      return;
    case Key::kRootNode:
      root_ = value;
      root_token_ = token;
      return;
    case Key::kPieces:
      pieces_ = small_number(value, "the number of pieces");
      pieces_token_ = token;
      return;
    case Key::kSendPorts:
    case Key::kReceivePorts:
      return text(key, place, fmt::format("{}", value), token);
    case Key::kQueues:
      model_.queue_limit = small_number(value, "the limit on queues");
      return;
    default:
      return;
  }
}

void ProblemReader::real(Key key, double value) {
  if (key == Key::kNone) return;
  if (!is_cost(value))
    throw InputError(fmt::format("a cost is a number from 0 to {}, not {}", kMostCost, value));
  CostConstants& cost = model_.cost;
  (key == Key::kTs                ? cost.ts
   : key == Key::kTx              ? cost.tx
   : key == Key::kTl              ? cost.tl
   : key == Key::kMessageOverhead ? cost.to
                                  : cost.rho) = value;
}

void ProblemReader::text(Key key, uint64_t place, const std::string& value, Token token) {
  switch (key) {
    case Key::kSpec:
      topology_.spec = value;
      spec_token_ = token;
      spec_is_verbatim_ = text_.text.substr(token.begin + 1, value.size()) == value;
      return;
    case Key::kLabel:
      topology_.labels.push_back({small_number(place, "the number of a node"), value});
      return;
    case Key::kKind:
      kind_token_ = token;
      kind_ = parse_collective_kind(value);
      return;
    case Key::kSendPorts:
      model_.send = parse_ports(value, "send_ports");
      return;
    case Key::kReceivePorts:
      model_.receive = parse_ports(value, "receive_ports");
      return;
    case Key::kSwitching:
      model_.switching = parse_switching(value);
      return;
    case Key::kOperator:
      model_.combining = parse_operator(value);
      return;
    case Key::kChunks:
      model_.chunks = parse_chunks(value);
      return;
    case Key::kPackets:
      model_.packets = parse_packets(value);
      return;
    case Key::kDuplex:
      model_.duplex = parse_duplex(value);
      return;
    case Key::kRouting:
      model_.routing = parse_routing(value);
      return;
    case Key::kQueuesPer:
      model_.queues_per = parse_queues_per(value);
      return;
    case Key::kTimeUnit:
      require_microseconds(value);
      model_.cost.in_microseconds = true;
      return;
    default:
      return;
  }
}

Problem ProblemReader::without_model() const {
  const Topology network = topology();
  if (kind_ == CollectiveKind::kAlltoallv) return counted(network);
  if (!counts_at_.empty())
    text_.fail_at({counts_at_[0]}, "collective.counts", fmt::format("{} has no counts", name_of(kind_)));
  const NodeId root = root_in(network);
  std::optional<Problem> out;
  at(kind_token_, "collective.kind", [&] { out = standard_problem(network, kind_, {}, root); });
  at(pieces_token_.value_or(kind_token_), pieces_token_ ? "collective.pieces" : "collective.kind", [&] {
    out = standard_problem(network, kind_, {}, root, pieces_);
    check_plan_size(*out, text_.text.size());
  });
  return *std::move(out);
}

NodeId ProblemReader::root_in(const Topology& topology) const {
  if (!root_) return kNoNode;
  NodeId root = kNoNode;
  at(root_token_, "collective.root", [&] {
    if (*root_ >= topology.num_nodes()) {
      throw InputError(fmt::format("root {} does not exist: the nodes of {} are 0 to {}", *root_,
                                   topology.name(), topology.num_nodes() - 1));
    }
    root = id_at<NodeId>(*root_);
    if (!standard_problem(topology, kind_, {}, root).collective().root())
      throw InputError(fmt::format("{} has no root: leave it out or write null", name_of(kind_)));
  });
  return root;
}

// Blocks that are counted have neither root nor pieces.
Problem ProblemReader::counted(const Topology& topology) const {
  if (root_)
    text_.fail_at(root_token_, "collective.root", "alltoallv has no root: leave it out or write null");
  if (pieces_ != 1) {
    text_.fail_at(*pieces_token_, "collective.pieces", "alltoallv counts whole blocks, which are not split");
  }
  try {
    return counted_problem(topology, counts_of(topology, counts_, most_blocks_of(text_.text.size())));
  } catch (const StatedCountError& error) {
    text_.fail_at({counts_at_[error.at()]}, fmt::format("collective.counts[{}]", error.at()), error.what());
  } catch (const InputError& error) {
    text_.fail_at(kind_token_, "collective", error.what());
  }
}

// Mistakes are shown in the part of the topology where they are.
Topology ProblemReader::topology() const {
  using Part = StatedTopologyError::Part;
  try {
    const SpecPlace place = spec_is_verbatim_ ? SpecPlace{text_.text, spec_token_.begin + 1} : SpecPlace{};
    return topology_.resolve(text_.source, place, text_.text.size(), files_);
  } catch (const SpecError& error) {
    if (spec_is_verbatim_) throw;  // it has its own caret
    text_.fail_at(spec_token_, "topology.spec", error.what());
  } catch (const StatedTopologyError& error) {
    const auto fail_at = [&](Token where, std::string_view place) {
      text_.fail_at(where, place, error.what());
    };
    const Part part = error.part();
    const std::optional<size_t> which = error.which();
    if (part == Part::kNodes && topology_.nodes) fail_at(nodes_token_, "topology.nodes");
    if (part == Part::kEndpoints) fail_at(endpoints_token_, "topology.endpoints");
    if (part == Part::kLinks && which)
      fail_at({links_at_[*which]}, fmt::format("topology.links[{}]", *which));
    if (part == Part::kLabels) fail_at(labels_token_, fmt::format("topology.labels[{}]", which.value_or(0)));
    if (part == Part::kLinks) fail_at(links_token_, "topology.links");
    if (topology_.spec) fail_at(spec_token_, "topology.spec");
    text_.fail_at(*topology_token_, "topology", error.what());
  }
}

Problem ProblemReader::with_model(const Problem& problem) const {
  std::optional<Problem> out;
  at(model_token_, "", [&] { out = Problem(problem.topology(), problem.collective(), model_); });
  return *std::move(out);
}

}  // namespace quadrille::plan_json
