#include "quadrille/compile/offers.h"

#include "quadrille/algorithms/catalog.h"
#include "quadrille/algorithms/choice.h"

namespace quadrille {

std::vector<Offer> offers(const Problem& problem) {
  std::vector<Offer> out;
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective != problem.collective().kind()) continue;
    const Applicability fits = serves(*card, problem);
    Offer& offer = out.emplace_back();
    offer.name = card->name;
    offer.summary = card->summary;
    offer.applies = fits.applies;
    offer.reason = fits.reason;
    if (!fits.applies) continue;
    const Claim claim = card->claimed(problem);
    offer.claims = {claim.steps, claim.start_ups, claim.busiest_link, claim.critical_blocks};
  }
  return out;
}

}  // namespace quadrille
