// Only the judge makes a Schedule: its constructor is not for others.
// expected: is private within this context
// expected: calling a private constructor
#include "quadrille/verify/verify.h"

quadrille::Schedule forged(const quadrille::Problem& problem, const quadrille::Plan& plan) {
  return quadrille::Schedule(problem, plan, quadrille::Figures());
}
