// What send_ports and receive_ports share: messages are counted at one of their ends, by node and step.
#pragma once

#include <cstdint>
#include <memory>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/rule.h"

namespace quadrille::rules {

/// Which end of a message is counted.
enum class MessageEnd : uint8_t { kStart, kEnd };

/// A node has in a step at most as many messages of which that end is at it as the model gives it ports for them;
/// nothing is to be judged where those are unlimited.
[[nodiscard]] std::unique_ptr<StepRule> port_rule(const RuleCard& card, const Problem& problem,
                                                  MessageEnd end);

}  // namespace quadrille::rules
