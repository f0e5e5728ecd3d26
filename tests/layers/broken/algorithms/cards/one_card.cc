#include <quadrille/verify/verify.h>  // in angle brackets it is the same
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/shapes.h"
extern const Algorithm one_card;
constinit const Algorithm one_card = {};
