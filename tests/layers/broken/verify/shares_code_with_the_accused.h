#include "quadrille/algorithms/algorithm.h"
