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
    const Prediction prediction = cheapest(ready.plans)->prediction();
    offer.predicted = {prediction.steps, prediction.start_ups, prediction.busiest_link,
                       prediction.critical_blocks};
  }
  return out;
}

}  // namespace quadrille
