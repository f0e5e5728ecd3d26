#include <array>

#include "quadrille/exporters/exporter.h"

#include <algorithm>

#include "quadrille/base/input_error.h"

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

Model model_of_set(const Topology& topology, Model model) {
  if (topology.has_routers()) {
    model.switching = Switching::kWormhole;
  } else {
    model.packets = Packets::kMany;
  }
  return model;
}

std::vector<CollectiveKind> collectives_of_set(const std::string& words) {
  if (words.empty()) throw InputError("what to export? give all, or collectives such as alltoall,allreduce");
  if (words == "all") return {kCollectiveKinds.begin(), kCollectiveKinds.end()};
  std::vector<CollectiveKind> out;
  for (size_t at = 0; at <= words.size();) {
    const size_t end = std::min(words.find(',', at), words.size());
    out.push_back(parse_collective_kind(words.substr(at, end - at)));
    if (out.back() == CollectiveKind::kAlltoallv)
      throw InputError("a set of programs holds no alltoallv: its plans are for one matrix of counts");
    at = end + 1;
  }
  return out;
}

}  // namespace quadrille
