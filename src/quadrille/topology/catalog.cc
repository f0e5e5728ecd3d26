#include "quadrille/topology/catalog.h"

#include <fmt/format.h>

#include <array>
#include <new>

#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/products/outline.h"

namespace quadrille {

namespace families {
#define QUADRILLE_FAMILY(name) extern const Family name;
#include "quadrille/topology/catalog.inc"
#undef QUADRILLE_FAMILY
}  // namespace families

namespace {

constexpr std::array kCards = {
#define QUADRILLE_FAMILY(name) &families::name,
#include "quadrille/topology/catalog.inc"
#undef QUADRILLE_FAMILY
};

// Errors that do not point anywhere yet get a caret under the whole call; running out of memory becomes an
// error of the input.
template <typename Work>
auto pointing_at(const SpecCall& call, Work work) {
  try {
    return work();
  } catch (const SpecError&) {
    throw;
  } catch (const InputError& error) {
    throw call.error(call.where, error.what());
  } catch (const std::bad_alloc& refused) {
    throw call.error(call.where, out_of_memory_text(refused));
  }
}

}  // namespace

const Catalog<Family>& family_catalog() {
  static constexpr Catalog<Family> kCatalog(kCards);
  return kCatalog;
}

const Family& family_of(const SpecCall& call) {
  if (const Family* family = family_catalog().find(call.name)) return *family;
  const std::string_view near = nearest_name(call.name, family_catalog().words());
  const std::string hint = near.empty() ? "" : fmt::format("did you mean '{}'? ", near);
  const std::vector<std::string_view> names = family_catalog().names();
  throw SpecError(call.error(call.name_where, fmt::format("no topology is called '{}'; {}known families: {}",
                                                          call.name, hint, join(names))),
                  {.of = "topology", .given = call.name, .allowed = {names.begin(), names.end()}});
}

const SpecCall* call_that_opens_a_file(const SpecCall& call) {
  const Family* family = family_catalog().find(call.name);
  if (family != nullptr && family->opens_files) return &call;
  for (const SpecSection& section : call.sections) {
    for (const Arg& arg : section.args) {
      if (arg.kind != ArgKind::kCall) continue;
      if (const SpecCall* inner = call_that_opens_a_file(arg.call[0])) return inner;
    }
  }
  return nullptr;
}

Topology build_topology(const SpecCall& call) {
  const Family& family = family_of(call);
  return pointing_at(call, [&] { return family.build(call); });
}

Topology topology_for_figures(const SpecCall& call) {
  const Family& family = family_of(call);
  if (family.outline == nullptr || 2 * topology_facts(call).links <= Int128{kMostArcsForFigures})
    return build_topology(call);
  return pointing_at(call, [&] { return family.outline(call); });
}

std::optional<Topology> topology_outline(const SpecCall& call) {
  const Family& family = family_of(call);
  if (family.outline == nullptr) return std::nullopt;
  return pointing_at(call, [&] { return family.outline(call); });
}

TopologyFacts topology_facts(const SpecCall& call) {
  const Family& family = family_of(call);
  return pointing_at(call, [&] { return family.facts(call); });
}

}  // namespace quadrille
