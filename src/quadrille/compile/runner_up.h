// RunnerUp: what would have been chosen next.
#pragma once

#include <string>

#include "quadrille/schedule/plan_file.h"

namespace quadrille {

/// The second best of the algorithms that were asked: "auto" asks as many as may be the best.
struct RunnerUp {
  std::string algorithm{};    ///< as Wishes::algorithm takes it
  StatedFigures predicted{};  ///< none, where it predicts nothing
};

}  // namespace quadrille
