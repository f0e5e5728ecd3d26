#include "quadrille/model/machine.h"

#include <fmt/format.h>

#include <array>

#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"

namespace quadrille {

namespace machines {
#define QUADRILLE_MACHINE(name) extern const Machine name;
#include "quadrille/model/machines/catalog.inc"
#undef QUADRILLE_MACHINE
}  // namespace machines

namespace {

constexpr std::array kCards = {
#define QUADRILLE_MACHINE(name) &machines::name,
#include "quadrille/model/machines/catalog.inc"
#undef QUADRILLE_MACHINE
};

// A time per byte, and the bandwidth that it is.
std::string per_byte_text(double microseconds) {
  return fmt::format("{:.4g} ns a byte ({:.4g} Gbit/s)", 1e3 * microseconds, 8e-3 / microseconds);
}

}  // namespace

const Catalog<Machine>& machine_catalog() {
  static constexpr Catalog<Machine> kCatalog(kCards);
  return kCatalog;
}

const Machine& default_machine() { return machines::links_100g; }

const Machine& find_machine(std::string_view name) {
  if (const Machine* found = machine_catalog().find(name)) return *found;
  const std::vector<std::string_view> names = machine_catalog().names();
  throw ValueError(fmt::format("--machine: '{}' is given; allowed are {}", name, join(names)),
                   {.of = "--machine", .given = std::string(name), .allowed = {names.begin(), names.end()}});
}

const Machine* machine_with(const CostConstants& cost) {
  for (const Machine* card : machine_catalog()) {
    if (card->cost == cost) return card;
  }
  return nullptr;
}

std::string to_text(const CostConstants& cost) {
  if (!cost.in_microseconds) {
    std::string out =
        fmt::format("ts {:.6g}, tx {:.6g}, tl {:.6g}, rho {:.6g}", cost.ts, cost.tx, cost.tl, cost.rho);
    return cost.to > 0 ? out + fmt::format(", to {:.6g}", cost.to) : out;
  }
  std::string out = fmt::format("{:.4g} us a start-up", cost.ts);
  if (cost.to > 0) out += fmt::format(", {:.4g} us a further message of a node", cost.to);
  if (cost.tx > 0) out += ", " + per_byte_text(cost.tx);
  if (cost.tl > 0) out += fmt::format(", {:.4g} us a hop", cost.tl);
  if (cost.rho > 0) out += ", rearranged " + per_byte_text(cost.rho);
  return out;
}

}  // namespace quadrille
