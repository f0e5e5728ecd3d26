// A picture of the trade-off curve (compile/comparison/frontier.h): start-ups to the right, volume upwards.
#pragma once

#include <string>

#include "quadrille/compile/comparison/frontier.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// A script for gnuplot that draws the points, each algorithm in a colour and with its name where it comes first, and writes "svg" or
/// "png" to its standard output.
[[nodiscard]] std::string frontier_plot(const Problem& problem, const Frontier& front,
                                        const std::string& format);

}  // namespace quadrille
