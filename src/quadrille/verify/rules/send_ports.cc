// Rule send_ports: a node starts at most as many messages in a step as it has send ports.

#include "quadrille/verify/rules/port_rule.h"

namespace quadrille::rules {

extern const RuleCard send_ports;

const RuleCard send_ports{
    .name = "send_ports",
    .summary = "a node starts at most as many messages in a step as the model gives it send ports",
    .details =
        "Counted per node and step, routers included. "
        "A worm that passes through a node uses none of its ports. Every transfer is a message; where transfers "
        "may share arcs, those that take the same path are one.",
    .in_a_step = [](const Problem& problem) { return port_rule(send_ports, problem, MessageEnd::kStart); },
};

}  // namespace quadrille::rules
