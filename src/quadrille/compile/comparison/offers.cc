#include "quadrille/compile/comparison/offers.h"

#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"
#include "quadrille/base/check.h"
#include "quadrille/compile/choice.h"

namespace quadrille {
namespace {

Offer offer_by(const Algorithm& card, const Problem& problem) {
  const Preparation ready = prepare_serving(card, problem);
  Offer out;
  out.name = card.name;
  out.summary = card.summary;
  out.applies = ready.fits.applies;
  out.reason = ready.fits.reason;
  if (!ready.fits.applies) return out;
  const Prediction prediction = cheapest(ready.plans)->prediction();
  out.predicted = {prediction.steps, prediction.start_ups, prediction.busiest_link,
                   prediction.critical_blocks};
  out.rearranged = prediction.rearranged;
  return out;
}

}  // namespace

Offer offer_of(std::string_view algorithm, const Problem& problem) {
  const Algorithm* card = algorithm_catalog().find(algorithm);
  QUADRILLE_CHECK(card != nullptr, std::string(algorithm));
  return offer_by(*card, problem);
}

std::vector<Offer> offers(const Problem& problem) {
  const SharedFactorExchanges shared;
  const SharedWorms worms;
  std::vector<Offer> out;
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective == problem.collective().kind()) out.push_back(offer_by(*card, problem));
  }
  return out;
}

}  // namespace quadrille
