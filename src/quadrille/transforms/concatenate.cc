#include "quadrille/transforms/concatenate.h"

namespace quadrille {

Plan concatenate(const Plan& first, const Plan& second) {
  Plan out(first);
  second.replay(out);
  return out;
}

}  // namespace quadrille
