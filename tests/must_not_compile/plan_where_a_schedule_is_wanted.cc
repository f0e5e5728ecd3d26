// A proposal does not become a fact by being passed on.
// expected: from expression of type 'const quadrille::Plan'
// expected: no known conversion from 'const quadrille::Plan'
#include "quadrille/verify/verify.h"

uint64_t steps_of(const quadrille::Schedule& schedule);

uint64_t judged_steps(const quadrille::Plan& plan) { return steps_of(plan); }
