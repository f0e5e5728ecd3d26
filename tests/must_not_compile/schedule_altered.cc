// A Schedule does not change after the judge has seen it.
// expected: discards qualifiers
// expected: is not marked const
#include "quadrille/verify/verify.h"

void alter(quadrille::Schedule& schedule) { schedule.plan().push(quadrille::StepView()); }
