#include "quadrille/algorithms/graphs/shapes.h"
struct Shape;
