#include "quadrille/base/fine.h"
#include "quadrille/schedule/plan.h"

#include "quadrille/verify/verify.h"
