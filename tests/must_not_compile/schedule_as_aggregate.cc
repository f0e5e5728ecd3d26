// A Schedule is no aggregate that braces could fill.
// expected: is private within this context
// expected: calling a private constructor
#include "quadrille/verify/verify.h"

quadrille::Schedule forged(const quadrille::Problem& problem, const quadrille::Plan& plan) {
  return {problem, plan, quadrille::Figures{}};
}
