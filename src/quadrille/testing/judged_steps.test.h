// What tests of cards start from: a problem in a line, and the steps of a card's plan that the judge has passed.
#pragma once

#include <cstdint>
#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/model/model.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Both sides alike; 0 is all ports.
[[nodiscard]] Model ports(uint32_t count);
[[nodiscard]] Model ports(uint32_t send, uint32_t receive);

/// Total exchange by worms, with one port unless the model says otherwise.
[[nodiscard]] Problem worms_on(std::string_view spec, Model model = ports(1));

/// The steps of the plan of a card, which applies, and whose plan passes the judge and keeps all that it predicts. Fails
/// the test and is 0 where one of these is not so.
[[nodiscard]] uint64_t judged_steps(const Algorithm& card, const Problem& problem);

}  // namespace quadrille
