// Rule receive_ports: a node ends at most as many messages in a step as it has receive ports.

#include "quadrille/verify/rules/port_rule.h"

namespace quadrille::rules {

extern const RuleCard receive_ports;

const RuleCard receive_ports{
    .name = "receive_ports",
    .summary = "a node ends at most as many messages in a step as the model gives it receive ports",
    .details =
        "Counted per node and step, routers included. "
        "A worm that passes through a node uses none of its ports. Every transfer is a message; where transfers "
        "may share arcs, those that take the same path are one.",
    .in_a_step = [](const Problem& problem) { return port_rule(receive_ports, problem, MessageEnd::kEnd); },
};

}  // namespace quadrille::rules
