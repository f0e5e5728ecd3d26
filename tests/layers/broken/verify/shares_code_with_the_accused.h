#include "quadrille/algorithms/catalog.h"
