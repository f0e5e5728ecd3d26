// There is no empty Schedule.
// expected: no matching function for call to
// expected: no matching constructor for initialization
#include "quadrille/verify/verify.h"

quadrille::Schedule forged;
