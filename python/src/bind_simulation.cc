// Simulated runs.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/base/numbers/whole_number.h"
#include "quadrille/options/simulation_options.h"
#include "quadrille/sim/packet_simulator.h"
#include "quadrille/sim/simulation.h"

namespace quadrille::python {
namespace {

constexpr unsigned kThreads = 2;

// A run, and what was run.
struct Simulated {
  Traffic traffic;
  Simulation done;
  std::string kept_apart;
  double cycle_ns = 1.0;

  [[nodiscard]] const WormResult& result() const { return done.result; }
  [[nodiscard]] double microseconds(uint64_t cycles) const {
    return static_cast<double>(cycles) * cycle_ns / 1000.0;
  }
};

uint64_t number(const std::string& name, const std::string& text, uint64_t most) {
  const auto value = whole_number(text);
  if (value && *value <= most) return *value;
  throw InputError("--" + name + " is '" + text + "'; allowed are whole numbers up to " +
                   std::to_string(most));
}

uint64_t message_bytes(const std::string& text) {
  return text.empty() ? kDefaultMessageBytes : parse_bytes(text, "--bytes");
}

SimulationOptions options_of(const Words& words) {
  SimulationOptions out;
  const std::map<std::string_view, std::string*> texts = {
      {"flit", &out.flit}, {"cycle", &out.cycle}, {"sync", &out.sync}, {"stall", &out.stall}};
  const std::map<std::string_view, uint32_t*> small = {{"vcs", &out.worms.vcs},
                                                       {"buffers", &out.worms.buffer},
                                                       {"router_delay", &out.worms.router_delay},
                                                       {"link_delay", &out.worms.link_delay}};
  const std::map<std::string_view, uint64_t*> large = {{"seed", &out.seed},
                                                       {"seeds", &out.seeds},
                                                       {"barrier_cost", &out.costs.barrier},
                                                       {"signal_cost", &out.costs.signal}};
  for (const auto& [name, text] : words) {
    std::string option = name;
    for (char& c : option) c = c == '_' ? '-' : c;
    if (const auto field = texts.find(name); field != texts.end()) {
      *field->second = text;
    } else if (const auto count = small.find(name); count != small.end()) {
      *count->second = static_cast<uint32_t>(number(option, text, UINT32_MAX));
    } else if (const auto wide = large.find(name); wide != large.end()) {
      *wide->second = number(option, text, UINT64_MAX);
    } else {
      throw py::type_error("there is no argument " + name);
    }
  }
  out.require_sound();
  return out;
}

Simulated simulated(const JudgedPlan& plan, const std::string& bytes, bool store_and_forward,
                    const Words& words) {
  const SimulationOptions options = options_of(words);
  Simulated out{.traffic = options.traffic(plan.made, message_bytes(bytes)), .done = {}, .kept_apart = {}};
  out.cycle_ns = options.cycle_ns();
  KeptApart apart = options.kept_apart(plan.made, out.traffic.steps);
  out.kept_apart = std::move(apart.text);
  const WormRun run = options.run(std::move(apart));
  out.done = store_and_forward ? simulate_packets(out.traffic, PacketParameters::as_worms(options.worms), run)
                               : simulate(out.traffic, options.worms, run);
  return out;
}

Simulated simulate_plan(const JudgedPlan& plan, const std::string& bytes, bool store_and_forward,
                        const Words& words) {
  const py::gil_scoped_release released;
  return by_words(words, [&] { return simulated(plan, bytes, store_and_forward, words); });
}

struct Swept {
  SeedSweep sweep{};
  double cycle_ns = 1.0;
};

Swept swept(const JudgedPlan& plan, const std::string& bytes, const Words& words) {
  const SimulationOptions options = options_of(words);
  const Traffic traffic = options.traffic(plan.made, message_bytes(bytes));
  const WormRun run = options.run(options.kept_apart(plan.made, traffic.steps));
  return {.sweep = sweep_seeds(traffic, options.worms, run, options.seeds, {.threads = kThreads}),
          .cycle_ns = options.cycle_ns()};
}

py::dict sweep_plan(const JudgedPlan& plan, const std::string& bytes, const Words& words) {
  const auto [sweep, cycle_ns] = [&] {
    const py::gil_scoped_release released;
    return by_words(words, [&] { return swept(plan, bytes, words); });
  }();
  const double us = cycle_ns / 1000.0;
  py::dict out;
  out["seeds"] = sweep.seeds;
  out["with_contention"] = sweep.with_contention;
  out["deadlocks"] = sweep.deadlocks;
  out["least_us"] = static_cast<double>(sweep.least_cycles) * us;
  out["mean_us"] = sweep.mean_cycles * us;
  out["most_us"] = static_cast<double>(sweep.most_cycles) * us;
  out["first_bad"] = sweep.first_bad ? py::object(py::int_(*sweep.first_bad)) : py::object(py::none());
  return out;
}

// Of each message one number.
template <typename Of>
py::array_t<uint32_t> of_messages(const Simulated& self, Of of) {
  const std::vector<TrafficMessage>& messages = self.traffic.messages;
  py::array_t<uint32_t> out(static_cast<py::ssize_t>(messages.size()));
  auto numbers = out.mutable_unchecked<1>();
  for (size_t m = 0; m < messages.size(); ++m) numbers(static_cast<py::ssize_t>(m)) = of(messages[m]);
  return out;
}

py::object deadlock_of(const Simulated& self) {
  if (!self.result().deadlock) return py::none();
  const Deadlock& dead = *self.result().deadlock;
  const Topology& network = self.traffic.network;
  py::list circle;
  for (const Deadlock::Waiting& waiting : dead.circle) {
    py::dict one;
    one["node"] = index(waiting.node);
    one["link"] =
        waiting.arc == kNoArc
            ? py::object(py::none())
            : py::object(py::make_tuple(index(network.tail(waiting.arc)), index(network.head(waiting.arc))));
    one["channel"] = waiting.vc;
    one["message"] = waiting.message;
    circle.append(one);
  }
  py::dict out;
  out["cycle"] = dead.cycle;
  out["circle"] = circle;
  out["nodes"] = dead.nodes;
  return out;
}

std::string text_of(const Simulated& self) {
  const WormResult& result = self.result();
  if (result.deadlock)
    return "<Simulation: deadlock in cycle " + std::to_string(result.deadlock->cycle) + ">";
  return "<Simulation: " + py::repr(py::float_(self.microseconds(result.cycles))).cast<std::string>() +
         " us, " +
         (result.contention() == 0 ? "no contention"
                                   : "contention " + std::to_string(result.contention()) + " times") +
         ">";
}

}  // namespace

void bind_simulation(py::module_& module) {
  py::class_<Simulated>(module, "Simulation",
                        R"(What became of a schedule on a simulated network; made by simulate().

Messages are sorted by source, then step; `sources`, `destinations`, `steps`, `flits`, `started_us` and `delivered_us` have
one entry for each.)")
      .def_property_readonly(
          "time_us", [](const Simulated& self) { return self.microseconds(self.result().cycles); },
          "When the last message was there, in microseconds; of a deadlock, when nothing moved any more.")
      .def_property_readonly(
          "cycles", [](const Simulated& self) { return self.result().cycles; }, "The same in cycles.")
      .def_property_readonly(
          "cycle_ns", [](const Simulated& self) { return self.cycle_ns; },
          "How many nanoseconds a cycle takes.")
      .def_property_readonly(
          "kept_apart_by", [](const Simulated& self) { return self.kept_apart; },
          "What kept the steps apart, in words.")
      .def_property_readonly(
          "contention", [](const Simulated& self) { return self.result().contention(); },
          "How often messages wanted the same link, channel or port in one cycle.")
      .def_property_readonly(
          "channel_waits", [](const Simulated& self) { return self.result().channel_waits; },
          "Heads that did not get a virtual channel, or a port, at once.")
      .def_property_readonly(
          "switch_conflicts", [](const Simulated& self) { return self.result().switch_conflicts; },
          "Links, or inputs of routers, that several flits wanted, each cycle.")
      .def_property_readonly(
          "flit_hops", [](const Simulated& self) { return self.result().flit_hops; }, "Flits times links.")
      .def_property_readonly("deadlock", &deadlock_of,
                             "None, or {'cycle', 'circle', 'nodes'}: each of the circle waits for the next.")
      .def_property_readonly(
          "link_flits",
          [](const py::object& self) {
            return view<uint64_t>(
                std::span<const uint64_t>(self.cast<const Simulated&>().result().link_flits), self);
          },
          "Flits over each link. uint64, read-only.")
      .def_property_readonly(
          "sources",
          [](const Simulated& self) {
            return of_messages(
                self, [](const TrafficMessage& m) { return static_cast<uint32_t>(index(m.source)); });
          },
          "Of each message the node that sends it. uint32, computed.")
      .def_property_readonly(
          "destinations",
          [](const Simulated& self) {
            return of_messages(
                self, [](const TrafficMessage& m) { return static_cast<uint32_t>(index(m.destination)); });
          },
          "Of each message the node that it is for. uint32, computed.")
      .def_property_readonly(
          "steps",
          [](const Simulated& self) {
            return of_messages(self, [](const TrafficMessage& m) { return m.step; });
          },
          "Of each message its step in the schedule, from 0. uint32, computed.")
      .def_property_readonly(
          "flits",
          [](const Simulated& self) {
            return of_messages(self, [](const TrafficMessage& m) { return m.flits; });
          },
          "Of each message how many flits it has. uint32, computed.")
      .def_property_readonly(
          "started",
          [](const py::object& self) {
            return view<uint64_t>(std::span<const uint64_t>(self.cast<const Simulated&>().result().started),
                                  self);
          },
          "Of each message the cycle in which its head was ready to go. uint64, read-only.")
      .def_property_readonly(
          "delivered",
          [](const py::object& self) {
            return view<uint64_t>(std::span<const uint64_t>(self.cast<const Simulated&>().result().delivered),
                                  self);
          },
          "Of each message the cycle in which it was there. uint64, read-only.")
      .def("__repr__", &text_of);
  module.def("_simulate", &simulate_plan);
  module.def("_sweep", &sweep_plan);
}

}  // namespace quadrille::python
