#include <array>

#include "quadrille/exporters/exporter.h"

namespace quadrille {

namespace exporters {
#define QUADRILLE_EXPORTER(name) extern const Exporter name;
#include "quadrille/exporters/catalog.inc"
#undef QUADRILLE_EXPORTER
}  // namespace exporters

namespace {

constexpr std::array kCards = {
#define QUADRILLE_EXPORTER(name) &exporters::name,
#include "quadrille/exporters/catalog.inc"
#undef QUADRILLE_EXPORTER
};

}  // namespace

const Catalog<Exporter>& exporter_catalog() {
  static constexpr Catalog<Exporter> kCatalog(kCards);
  return kCatalog;
}

}  // namespace quadrille
