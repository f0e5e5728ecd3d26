#include "quadrille/schedule/plan.h"
Plan kept;
