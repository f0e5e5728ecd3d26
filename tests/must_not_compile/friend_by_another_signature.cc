// Only the judge's own verify() is a friend, not whoever calls a function verify.
// expected: is private within this context
// expected: calling a private constructor
#include "quadrille/verify/verify.h"

namespace quadrille {
Schedule verify(const Plan& plan, const Problem& problem) { return {problem, plan, Figures()}; }
}  // namespace quadrille
