// Schedules: how they are asked for, what is known of them, and their transfers as arrays.
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.h"
#include "quadrille/base/files.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/sizes/size_reasons.h"

namespace quadrille::python {
namespace {

using Shared = std::shared_ptr<JudgedPlan>;

const Problem& problem_of(const JudgedPlan& plan) { return plan.made.head.problem; }
const Plan& plan_of(const JudgedPlan& plan) { return plan.made.schedule->plan(); }

// --- asking --------------------------------------------------------------------------------------------

Shared plan(const std::string& collective, const Topology& topology, const Words& words) {
  const py::gil_scoped_release released;
  return by_words(words, [&] {
    Wanted asked = wanted(collective, topology, words);
    Interruptible progress;
    asked.wishes.progress = &progress;
    return std::make_shared<JudgedPlan>(
        JudgedPlan{.made = compile(asked.problem, asked.wishes), .bytes = asked.wishes.bytes});
  });
}

struct Judged {
  Shared passed{};
  std::optional<Compiled> rejected{};
};

Judged judge(const std::string& path_or_text, bool is_path, size_t max_findings, bool allow_files) {
  const py::gil_scoped_release released;
  const GraphFiles files = allow_files ? GraphFiles::kAllowed : GraphFiles::kRefused;
  Interruptible progress;
  Compiled judged =
      judge_plan(is_path ? read_plan_file(path_or_text, files) : read_plan(path_or_text, "plan", files),
                 {.max_findings = max_findings, .progress = &progress});
  if (judged.good() && judged.schedule)
    return {.passed = std::make_shared<JudgedPlan>(JudgedPlan{.made = std::move(judged)})};
  return {.rejected = std::move(judged)};
}

// --- what is wrong -------------------------------------------------------------------------------------

py::object numbered(uint64_t value) {
  if (value == Finding::kAtEnd) return py::none();
  return py::int_(value);
}

py::tuple block_tuple(const Problem& problem, BlockId block) {
  const BlockName name = problem.block_name(block);
  py::tuple out(name.size);
  for (uint32_t i = 0; i < name.size; ++i) out[i] = name.parts[i];
  return out;
}

py::dict finding_dict(const Problem& problem, const Finding& finding) {
  const Topology& topology = problem.topology();
  const FindingPlace& place = finding.place;
  const bool at_end = finding.step == Finding::kAtEnd;
  py::dict out;
  out["rule"] = std::string(finding.rule);
  out["step"] = numbered(finding.step);
  out["transfer"] = at_end ? py::object(py::none()) : numbered(finding.transfer);
  out["node"] = place.node == kNoNode ? py::object(py::none()) : py::int_(index(place.node));
  out["link"] = place.arc == kNoArc
                    ? py::object(py::none())
                    : py::make_tuple(index(topology.tail(place.arc)), index(topology.head(place.arc)));
  out["block"] = place.block ? py::object(block_tuple(problem, *place.block)) : py::object(py::none());
  out["message"] = finding.message;
  return out;
}

// {"findings": [..], "total": n, "falsehoods": [..]} of a plan that is not good.
py::dict complaints(const Compiled& judged) {
  const bool apart = judged.verdict.passed() && judged.synchronised && !judged.synchronised->passed();
  const std::vector<Finding>& findings = apart ? judged.synchronised->findings : judged.verdict.findings;
  py::list list;
  for (const Finding& finding : findings) list.append(finding_dict(judged.head.problem, finding));
  py::dict out;
  out["findings"] = list;
  out["total"] = apart ? judged.synchronised->total_findings : judged.verdict.total_findings;
  out["falsehoods"] = judged.stated.falsehoods;
  return out;
}

// --- bounds --------------------------------------------------------------------------------------------

py::object fraction(const Rational& value) {
  return py::module_::import("fractions").attr("Fraction")(value.to_string());
}

std::vector<uint32_t> numbers(const std::vector<NodeId>& nodes) {
  std::vector<uint32_t> out;
  for (const NodeId node : nodes) out.push_back(static_cast<uint32_t>(index(node)));
  return out;
}

py::dict weights_dict(const WeightsWitness& weights) {
  py::list links;
  for (const auto& link : weights.links)
    links.append(py::make_tuple(index(link.tail), index(link.head), link.weight));
  const auto of_nodes = [](const std::vector<WeightsWitness::Node>& nodes) {
    py::list out;
    for (const auto& node : nodes) out.append(py::make_tuple(index(node.node), node.weight));
    return out;
  };
  py::dict out;
  out["kind"] = "weights";
  out["links"] = links;
  out["senders"] = of_nodes(weights.senders);
  out["receivers"] = of_nodes(weights.receivers);
  return out;
}

struct EvidenceDict {
  static py::dict kind(const char* name) {
    py::dict out;
    out["kind"] = name;
    return out;
  }
  static py::dict with(const char* name, const char* key, py::object value) {
    py::dict out = kind(name);
    out[key] = std::move(value);
    return out;
  }
  py::dict operator()(const CutWitness& cut) const {
    return with("cut", "nodes", py::cast(numbers(cut.nodes)));
  }
  py::dict operator()(const NodeWitness& node) const {
    return with("node", "node", py::int_(index(node.node)));
  }
  py::dict operator()(const InformedWitness& informed) const {
    py::dict out = with("informed", "node", py::int_(index(informed.node)));
    out["hops"] = informed.hops;
    return out;
  }
  py::dict operator()(const WeightsWitness& weights) const { return weights_dict(weights); }
  py::dict operator()(const RefutationWitness& refutation) const {
    py::dict out = with("refutation", "steps", py::int_(refutation.steps));
    out["lemmas"] = refutation.lemmas;
    return out;
  }
  py::dict operator()(const TimesWitness& times) const {
    return with("times", "times", py::cast(times.times));
  }
  py::dict operator()(const BetweenWitness& between) const {
    return with("between", "nodes", py::cast(numbers(between.nodes)));
  }
  py::dict operator()(const OrderWitness& order) const {
    py::dict out = with("order", "cut", py::int_(order.cut));
    out["sides"] = order.sides;
    return out;
  }
  py::dict operator()(const SendsWitness& sends) const {
    return with("sends", "steps", py::int_(sends.steps));
  }
};

py::object evidence(const Bound& bound) {
  if (!bound.evidence) return py::none();
  return std::visit(EvidenceDict{}, *bound.evidence);
}

void bind_bound(py::module_& module) {
  py::class_<Bound>(module, "Bound", "What no plan can beat, and what proves it.")
      .def_property_readonly(
          "name", [](const Bound& self) { return std::string(self.name); }, "Of the method.")
      .def_property_readonly(
          "value", [](const Bound& self) { return fraction(self.value); },
          "The exact bound, a fractions.Fraction: in steps or in blocks, see `on`.")
      .def_property_readonly(
          "least", [](const Bound& self) { return self.value.ceil(); }, "The value, rounded up.")
      .def_property_readonly(
          "on", [](const Bound& self) { return std::string(name_of(self.on)); },
          "'steps', or 'critical blocks': the rounds of all steps together.")
      .def_readonly("witness", &Bound::witness, "The cut, the node, the weights that prove it, in words.")
      .def_property_readonly(
          "evidence", &evidence,
          "The same as data: {'kind': 'cut', 'nodes': [..]} and so on, nodes by number; None where the "
          "proof is no place in the network.")
      .def("__repr__", [](const Bound& self) {
        return "<Bound " + std::string(self.name) + ": at least " + self.value.to_string() + " " +
               std::string(name_of(self.on)) + ">";
      });
}

// --- figures and times ---------------------------------------------------------------------------------

// What an algorithm takes for messages of one size, in the pieces that are best for it.
struct TimedAlgorithm {
  std::string name{};
  bool model_only = false;
  uint32_t pieces = 1;
  uint64_t start_ups = 0;
  uint64_t blocks = 0;
  std::optional<uint64_t> hops{};
  double time = 0.0;
};

constexpr unsigned kThreads = 2;

// As `quadrille plan --compare`.
std::vector<TimedAlgorithm> compared_times(const std::string& collective, const Topology& topology,
                                           const Words& words) {
  const Wanted asked = wanted(collective, topology, words);
  const uint64_t bytes = asked.wishes.bytes.value_or(kDefaultMessageBytes);
  std::vector<TimedAlgorithm> out;
  const Problem problem = with_packets_of_sizes(asked.problem, asked.wishes.any_packets);
  const Problem whole = problem.collective().pieces() == 1 ? problem : in_pieces(problem, 1);
  const std::optional<uint32_t> pieces =
      asked.wishes.any_pieces ? std::nullopt : std::optional(problem.collective().pieces());
  for (const SizedPlan& plan : compare_at(whole, bytes, kThreads, pieces).plans)
    out.push_back({plan.algorithm, plan.model_only, plan.pieces, plan.start_ups, plan.rounds, plan.hops,
                   plan.time(problem.model().cost, bytes)});
  return out;
}

std::vector<TimedAlgorithm> compare_times(const std::string& collective, const Topology& topology,
                                          const Words& words) {
  const py::gil_scoped_release released;
  return by_words(words, [&] { return compared_times(collective, topology, words); });
}

std::vector<ComparedSteps> compare_by_steps(const std::string& collective, const Topology& topology,
                                            const Words& words) {
  const py::gil_scoped_release released;
  return by_words(words, [&] { return compare_steps(wanted(collective, topology, words).problem).plans; });
}

// Plain values are pickled field by field.
template <typename T, typename... Fields>
auto pickled(Fields T::*... fields) {
  return py::pickle([fields...](const T& self) { return py::make_tuple(self.*fields...); },
                    [fields...](const py::tuple& state) {
                      T out{};
                      size_t at = 0;
                      ((out.*fields = state[at++].cast<Fields>()), ...);
                      return out;
                    });
}

void bind_figures(py::module_& module) {
  py::class_<Figures>(module, "Figures", "What the judge counted.")
      .def_readonly("steps", &Figures::steps, "Steps, empty ones included.")
      .def_readonly("start_ups", &Figures::start_ups, "Steps in which something is sent.")
      .def_readonly("transfers", &Figures::transfers, "Transfers of all steps.")
      .def_readonly("block_hops", &Figures::block_hops, "Blocks times links, over all transfers.")
      .def_readonly("critical_blocks", &Figures::critical_blocks,
                    "Rounds: of each step the most blocks on one link (or in one transfer), added up.")
      .def_readonly("critical_hops", &Figures::critical_hops,
                    "Of each step the most hops of a transfer, added up.")
      .def_readonly("busiest_link", &Figures::busiest_link, "Most blocks over one link, over the whole plan.")
      .def_readonly(
          "further_messages", &Figures::further_messages,
          "Of each step the messages of one node beyond its first, added up, where they are counted.")
      .def("__repr__",
           [](const Figures& self) {
             return "<Figures: " + std::to_string(self.steps) + " steps, " + std::to_string(self.transfers) +
                    " transfers, " + std::to_string(self.busiest_link) + " blocks on the busiest link>";
           })
      .def(pickled(&Figures::steps, &Figures::start_ups, &Figures::transfers, &Figures::block_hops,
                   &Figures::critical_blocks, &Figures::critical_hops, &Figures::busiest_link,
                   &Figures::further_messages));
  py::class_<PlanTime>(
      module, "PlanTime",
      "The time of a plan by the constants of its model: microseconds, unless these have no unit.")
      .def_readonly("total", &PlanTime::total,
                    "All of it, in microseconds (or in the unit of the constants).")
      .def_readonly("latency", &PlanTime::latency, "The part for start-ups.")
      .def_readonly("messages", &PlanTime::messages,
                    "The part for messages of a node in a step beyond its first.")
      .def_readonly("propagation", &PlanTime::propagation, "The part for hops.")
      .def_readonly("transfer", &PlanTime::transfer, "The part for bytes on links, along the critical path.")
      .def_readonly("rearrangement", &PlanTime::rearrangement,
                    "The part for blocks moved in memory; None where it is not known and not counted.")
      .def_readonly("least", &PlanTime::least, "No plan takes less, in however many pieces.")
      .def("__repr__",
           [](const PlanTime& self) {
             return "<PlanTime " + py::repr(py::float_(self.total)).cast<std::string>() + ", at least " +
                    py::repr(py::float_(self.least)).cast<std::string>() + ">";
           })
      .def(pickled(&PlanTime::total, &PlanTime::latency, &PlanTime::messages, &PlanTime::propagation,
                   &PlanTime::transfer, &PlanTime::rearrangement, &PlanTime::least));
  py::class_<TimedAlgorithm>(module, "ComparedCost", "What an algorithm takes for messages of one size.")
      .def_readonly("name", &TimedAlgorithm::name, "As plan(algorithm=..) takes it.")
      .def_readonly("model_only", &TimedAlgorithm::model_only,
                    "A formula of a paper: there is no plan of it here.")
      .def_readonly("pieces", &TimedAlgorithm::pieces, "In how many pieces it takes least time.")
      .def_readonly("start_ups", &TimedAlgorithm::start_ups, "Steps in which something is sent.")
      .def_readonly("blocks", &TimedAlgorithm::blocks, "Blocks, or pieces, on the critical path.")
      .def_readonly("hops", &TimedAlgorithm::hops, "The longest way of each step, added up; None: not known.")
      .def_readonly("time", &TimedAlgorithm::time, "In microseconds, or in the unit of the constants.")
      .def("__repr__",
           [](const TimedAlgorithm& self) {
             return "<" + self.name + ": " + py::repr(py::float_(self.time)).cast<std::string>() + ">";
           })
      .def(pickled(&TimedAlgorithm::name, &TimedAlgorithm::model_only, &TimedAlgorithm::pieces,
                   &TimedAlgorithm::start_ups, &TimedAlgorithm::blocks, &TimedAlgorithm::hops,
                   &TimedAlgorithm::time));
  py::class_<ComparedSteps>(module, "ComparedSteps", "How many steps an algorithm takes.")
      .def_readonly("name", &ComparedSteps::name, "As plan(algorithm=..) takes it.")
      .def_readonly("model_only", &ComparedSteps::model_only,
                    "A formula of a paper: there is no plan of it here.")
      .def_readonly("steps", &ComparedSteps::steps, "Steps.")
      .def("__repr__",
           [](const ComparedSteps& self) {
             return "<" + self.name + ": " + std::to_string(self.steps) + " steps>";
           })
      .def(pickled(&ComparedSteps::name, &ComparedSteps::model_only, &ComparedSteps::steps));
}

// --- transfers -----------------------------------------------------------------------------------------

// The parts of all steps as one, where a plan keeps them one behind the other: else nothing.
template <typename T, typename Part>
std::optional<std::span<const T>> whole(const Plan& plan, Part part) {
  const T* begin = nullptr;
  size_t size = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const std::span<const T> items = part(plan.step(s));
    if (items.empty()) continue;
    if (begin == nullptr) begin = items.data();
    if (begin + size != items.data()) return {};
    size += items.size();
  }
  return std::span<const T>(begin, size);
}

// Steps that take the same links share them, and then they are no one array yet.
std::span<const ArcId> links_of(const JudgedPlan& self) {
  const Plan& plan = plan_of(self);
  const auto part = [](const StepView& step) { return step.all_arcs; };
  if (const auto kept = whole<ArcId>(plan, part)) return *kept;
  if (!self.links.empty()) return self.links;
  self.links.reserve(plan.num_transfers());
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const std::span<const ArcId> arcs = part(plan.step(s));
    self.links.insert(self.links.end(), arcs.begin(), arcs.end());
  }
  return self.links;
}

py::array_t<int64_t> step_offsets(const Plan& plan) {
  py::array_t<int64_t> out(static_cast<py::ssize_t>(plan.num_steps() + 1));
  auto offsets = out.mutable_unchecked<1>();
  int64_t at = 0;
  offsets(0) = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    at += static_cast<int64_t>(plan.step(s).size());
    offsets(static_cast<py::ssize_t>(s + 1)) = at;
  }
  return out;
}

// Where the links, or the blocks, of each transfer begin in the flat array, and where the last ones end.
template <typename Count>
py::array_t<int64_t> offsets_by(const Plan& plan, Count count) {
  py::array_t<int64_t> out(static_cast<py::ssize_t>(plan.num_transfers() + 1));
  auto offsets = out.mutable_unchecked<1>();
  py::ssize_t number = 0;
  int64_t at = 0;
  offsets(0) = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      at += static_cast<int64_t>(count(step, t));
      offsets(++number) = at;
    }
  }
  return out;
}

py::array_t<bool> copies(const Plan& plan) {
  py::array_t<bool> out(static_cast<py::ssize_t>(plan.num_transfers()));
  auto flags = out.mutable_unchecked<1>();
  py::ssize_t number = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) flags(number++) = step.op(t) == TransferOp::kCopy;
  }
  return out;
}

struct Transfers {
  Shared of;
  [[nodiscard]] const Plan& plan() const { return plan_of(*of); }
};

const Plan& plan_behind(const py::object& self) { return self.cast<const Transfers&>().plan(); }

void bind_transfers(py::module_& module) {
  py::class_<Transfers>(module, "Transfers",
                        R"(All transfers of a schedule as arrays, step after step.

Transfer t takes the links links[link_offsets[t]:link_offsets[t + 1]] and carries the blocks
blocks[block_offsets[t]:block_offsets[t + 1]]. Where `single` is true each takes one link and carries one block, and the
transfers of step s are links[a:b] and blocks[a:b] with a, b = step_offsets[s], step_offsets[s + 1].
`links` and `blocks` are the plan's own memory: they are read-only, and keep the schedule alive. Where a step takes the links of
the one before, a plan keeps them once, and `links` is made when it is first asked for.)")
      .def("__len__", [](const Transfers& self) { return self.plan().num_transfers(); })
      .def_property_readonly(
          "single",
          [](const Transfers& self) {
            for (size_t s = 0; s < self.plan().num_steps(); ++s)
              if (!self.plan().step(s).is_unit()) return false;
            return true;
          },
          "Whether each transfer takes one link and carries one block.")
      .def_property_readonly(
          "step_offsets", [](const Transfers& self) { return step_offsets(self.plan()); },
          "The number of the first transfer of each step, and of all transfers. int64, computed.")
      .def_property_readonly(
          "links",
          [](const py::object& self) {
            return view<uint32_t>(links_of(*self.cast<const Transfers&>().of), self);
          },
          "Links of all transfers, one behind the other. uint32, read-only; no copy unless steps share theirs, then one.")
      .def_property_readonly(
          "blocks",
          [](const py::object& self) {
            const auto blocks =
                whole<BlockId>(plan_behind(self), [](const StepView& step) { return step.all_blocks; });
            return view<uint32_t>(blocks.value(), self);
          },
          "Blocks of all transfers, one behind the other. uint32, read-only, no copy.")
      .def_property_readonly(
          "link_offsets",
          [](const Transfers& self) {
            return offsets_by(self.plan(),
                              [](const StepView& step, size_t t) { return step.arcs(t).size(); });
          },
          "Where the links of each transfer begin in `links`, and where the last end. int64, computed.")
      .def_property_readonly(
          "block_offsets",
          [](const Transfers& self) {
            return offsets_by(self.plan(),
                              [](const StepView& step, size_t t) { return step.blocks(t).size(); });
          },
          "Where the blocks of each transfer begin in `blocks`, and where the last end. int64, computed.")
      .def_property_readonly(
          "copies", [](const Transfers& self) { return copies(self.plan()); },
          "In a reduction: whether a transfer replaces what the receiver has. bool, computed.")
      .def("__repr__",
           [](const Transfers& self) {
             return "<Transfers: " + std::to_string(self.plan().num_transfers()) + " in " +
                    std::to_string(self.plan().num_steps()) + " steps>";
           })
      .def(py::pickle([](const Transfers& self) { return py::make_tuple(self.of); },
                      [](const py::tuple& state) { return Transfers{state[0].cast<Shared>()}; }));
  copy_is_itself(module.attr("Transfers"));
}

// --- schedules -----------------------------------------------------------------------------------------

std::string text_of(const JudgedPlan& self, const std::string& form) {
  std::string out;
  const auto writer =
      plan_format_of("plan." + form).writer(self.made.head, [&out](std::string_view part) { out += part; });
  plan_of(self).replay(*writer);
  writer->finish();
  return out;
}

// What pickle keeps of a schedule: its plan file, and what files do not say.
py::tuple kept(const JudgedPlan& self) {
  std::string text;
  {
    const py::gil_scoped_release released;
    text = text_of(self, "plan");
  }
  return py::make_tuple(problem_of(self).topology(), text, self.made.reason, self.bytes);
}

// A pickle is a file like any other: the judge looks at it again.
Shared from_kept(const py::tuple& state) {
  const auto topology = state[0].cast<Topology>();
  const auto text = state[1].cast<std::string>();
  const auto reason = state[2].cast<std::string>();
  const auto bytes = state[3].cast<std::optional<uint64_t>>();
  const py::gil_scoped_release released;
  PlanFile file = read_plan(text, "pickle");
  if (!file.problem.topology().same_graph(topology))
    throw InputError("a pickle has a plan for another network than its own");
  // With what plan files do not say of a network: bandwidths, latencies.
  file.problem = Problem(topology, file.problem.collective(), file.problem.model());
  Interruptible progress;
  Compiled judged = judge_plan(std::move(file), {.bytes = bytes, .progress = &progress});
  if (!judged.good() || !judged.schedule) throw InputError("a pickle has a plan that the judge rejects");
  judged.reason = reason;
  return std::make_shared<JudgedPlan>(JudgedPlan{.made = std::move(judged), .bytes = bytes});
}

std::string repr_of(const JudgedPlan& self) {
  const Figures& figures = self.made.verdict.figures;
  return "<Schedule " + problem_of(self).title() + ": " + std::to_string(figures.steps) + " steps" +
         (self.made.optimal() ? ", optimal"
                              : ", at least " + std::to_string(self.made.least_steps().value.ceil())) +
         (self.made.head.algorithm.empty() ? "" : ", by " + self.made.head.algorithm) + ">";
}

std::string picture_of(const JudgedPlan& self, const std::string& picture,
                       const std::optional<std::pair<uint64_t, uint64_t>>& steps, double width) {
  const auto [first, last] = steps.value_or(std::pair<uint64_t, uint64_t>{0, UINT64_MAX});
  return plan_picture(problem_of(self), plan_of(self), picture, first, last, width);
}

// Text, or bytes where a form is no text.
py::object content_of(const std::string& content) {
  PyObject* const text =
      PyUnicode_DecodeUTF8(content.data(), static_cast<py::ssize_t>(content.size()), nullptr);
  if (text != nullptr) return py::reinterpret_steal<py::object>(text);
  PyErr_Clear();
  return py::bytes(content);
}

py::object export_of(const JudgedPlan& self, const std::string& form, const std::string& bytes,
                     const std::optional<std::filesystem::path>& path) {
  const std::vector<ExportedFile> files = [&] {
    const py::gil_scoped_release released;
    std::vector<ExportedFile> made = exported(self, form, bytes);
    for (const ExportedFile& file : made)
      if (path) write_file(path->string() + file.suffix, file.content);
    return made;
  }();
  if (path) return py::none();
  if (files.size() == 1 && files[0].suffix.empty()) return content_of(files[0].content);
  py::dict out;
  for (const ExportedFile& file : files) out[py::str(file.suffix)] = content_of(file.content);
  return out;
}

void bind_the_schedule(py::module_& module) {
  const auto released = py::call_guard<py::gil_scoped_release>();
  py::class_<JudgedPlan, Shared>(
      module, "Schedule",
      "A plan that the judge has passed. Made by plan() and verify(); it does not change.")
      .def_property_readonly(
          "collective",
          [](const JudgedPlan& self) { return std::string(problem_of(self).collective().name()); },
          "Its name: 'alltoall'.")
      .def_property_readonly(
          "topology", [](const JudgedPlan& self) { return problem_of(self).topology(); }, "The network.")
      .def_property_readonly(
          "model", [](const JudgedPlan& self) { return describe(problem_of(self).model()); },
          "What a node and a link may do in a step, in words.")
      .def_property_readonly(
          "pieces", [](const JudgedPlan& self) { return problem_of(self).collective().pieces(); },
          "In how many pieces each block, or the vector, is sent.")
      .def_property_readonly(
          "num_blocks", [](const JudgedPlan& self) { return problem_of(self).collective().num_blocks(); },
          "Blocks, pieces counted one by one.")
      .def_property_readonly(
          "algorithm", [](const JudgedPlan& self) { return self.made.head.algorithm; },
          "Who made the plan; of a file, what it says.")
      .def_property_readonly(
          "reason", [](const JudgedPlan& self) { return self.made.reason; },
          "Why this algorithm; '' of a plan from a file.")
      .def_property_readonly(
          "figures", [](const JudgedPlan& self) { return self.made.verdict.figures; },
          "What the judge counted.")
      .def_property_readonly(
          "steps", [](const JudgedPlan& self) { return self.made.verdict.figures.steps; }, "How many steps.")
      .def_property_readonly(
          "bounds", [](const JudgedPlan& self) { return self.made.bounds; },
          "All lower bounds that say something about the problem.")
      .def_property_readonly(
          "bound", [](const JudgedPlan& self) { return self.made.least_steps(); },
          "The best lower bound on the steps.")
      .def_property_readonly(
          "optimal", [](const JudgedPlan& self) { return self.made.optimal(); },
          "Whether no plan takes fewer steps, proved.")
      .def_property_readonly(
          "time", [](const JudgedPlan& self) { return self.made.time; },
          "Its time by the constants of the model; None where only steps count.")
      .def_property_readonly(
          "unit",
          [](const JudgedPlan& self) -> py::object {
            if (!problem_of(self).model().cost.in_microseconds) return py::none();
            return py::str("us");
          },
          "'us' where times are in microseconds; None where the constants have no unit.")
      .def_property_readonly(
          "transfers", [](const Shared& self) { return Transfers{self}; }, "All transfers as arrays.")
      .def(
          "block",
          [](const JudgedPlan& self, uint32_t block) {
            const uint32_t count = problem_of(self).collective().num_blocks();
            if (block >= count)
              throw py::index_error("block " + std::to_string(block) + " of " + std::to_string(count));
            return block_tuple(problem_of(self), BlockId{block});
          },
          py::arg("block"),
          "The block with that number in `transfers.blocks` as plan files name it: (origin, destination) of an alltoall, "
          "nodes by number, and the piece where there are several.")
      .def("to_text", &text_of, py::arg("form") = "plan", released,
           "The plan file as text: form 'plan' for people, 'json' for programs.")
      .def(
          "save",
          [](const JudgedPlan& self, const std::filesystem::path& path) {
            write_plan_file(path.string(), self.made.head, plan_of(self));
          },
          py::arg("path"), released, "Writes the plan file: .plan for people, .json for programs.")
      .def("to_svg", &picture_of, py::arg("picture") = "auto", py::arg("steps") = py::none(),
           py::arg("width") = 245.0, released,
           R"(A picture as SVG, `width` points wide (72 are an inch).

picture: 'steps' side by side, 'load' of each link, 'space_time', links against steps, 'histogram' of loads; 'auto' is
'steps' up to eight of them, else 'load'. steps=(first, last) shows only these, counted from 0, without the last.)")
      .def(
          "to_html",
          [](const JudgedPlan& self, const std::vector<const JudgedPlan*>& beside, const std::string& bytes) {
            return plan_page(self, beside, bytes);
          },
          py::arg("beside") = std::vector<const JudgedPlan*>(), py::arg("bytes") = "", released,
          R"(A page that a browser opens without a network: what `quadrille view` writes.

beside: other schedules, shown in step with this one. bytes: of a message, such as "64KiB", for times.)")
      .def("export", &export_of, py::arg("form"), py::arg("bytes") = "", py::arg("path") = py::none(),
           R"(The schedule as others read it: what `quadrille export --to FORM` writes.

form: "msccl", "goal", "csv", .. (an InputError lists them). bytes: of a message, where a form says it. path: a file to write
it to; where a form has a file for each rank, how their names begin. Without a path it is returned: as text, as bytes where a
form is no text ("program"), and where there are several files as a dict of how their names end.)")
      .def(py::pickle(&kept, &from_kept))
      .def("__repr__", &repr_of);
  copy_is_itself(module.attr("Schedule"));
}

}  // namespace

void Interruptible::begin(std::string_view /*what*/) { ask(); }
void Interruptible::made(uint64_t /*steps*/, std::optional<uint64_t> /*of*/, uint64_t /*transfers*/) {
  ask();
}
void Interruptible::found(uint64_t /*steps*/, uint64_t /*least*/) { ask(); }

void Interruptible::ask() {
  constexpr std::chrono::milliseconds kPatience{100};
  const auto now = std::chrono::steady_clock::now();
  if (now - asked_ < kPatience) return;
  asked_ = now;
  const py::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

void bind_schedule(py::module_& module) {
  bind_bound(module);
  bind_figures(module);
  bind_transfers(module);
  bind_the_schedule(module);
  module.def("_plan", &plan);
  module.def(
      "_judge",
      [](const std::string& path_or_text, bool is_path, size_t max_findings, bool allow_files) -> py::object {
        const Judged judged = judge(path_or_text, is_path, max_findings, allow_files);
        if (judged.passed) return py::cast(judged.passed);
        return complaints(*judged.rejected);
      });
  module.def("_compare_costs", &compare_times);
  module.def("_compare_steps", &compare_by_steps);
}

}  // namespace quadrille::python
