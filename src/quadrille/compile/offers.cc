#include "quadrille/compile/offers.h"

#include "quadrille/compile/choice.h"

namespace quadrille {

std::vector<Offer> offers(const Problem& problem) {
  std::vector<Offer> out;
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective != problem.collective().kind()) continue;
    const Preparation ready = prepare_serving(*card, problem);
    Offer& offer = out.emplace_back();
    offer.name = card->name;
    offer.summary = card->summary;
    offer.applies = ready.fits.applies;
    offer.reason = ready.fits.reason;
    if (!ready.fits.applies) continue;
    const Claim claim = cheapest(ready.plans)->claim();
    offer.claims = {claim.steps, claim.start_ups, claim.busiest_link, claim.critical_blocks};
  }
  return out;
}

}  // namespace quadrille
