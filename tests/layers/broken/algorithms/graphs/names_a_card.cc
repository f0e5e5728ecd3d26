#include "quadrille/algorithms/cards/one_card.h"
extern const Algorithm one_card;
