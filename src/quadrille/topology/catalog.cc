#include "quadrille/topology/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <vector>

#include "quadrille/base/text.h"

namespace quadrille {
namespace {

#define QUADRILLE_FAMILY(name) &families::name,
constexpr std::array kFamilies = {
#include "quadrille/topology/catalog.inc"
};
#undef QUADRILLE_FAMILY

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
  } catch (const std::bad_alloc&) {
    throw call.error(call.where, fmt::format("there is not enough memory for {}", call.quote(call.where)));
  }
}

}  // namespace

std::span<const Family* const> family_catalog() { return kFamilies; }

const Family* find_family(std::string_view name) {
  for (const Family* family : kFamilies) {
    if (family->name == name) return family;
    if (std::find(family->aliases.begin(), family->aliases.end(), name) != family->aliases.end())
      return family;
  }
  return nullptr;
}

const Family& family_of(const SpecCall& call) {
  if (const Family* family = find_family(call.name)) return *family;
  std::vector<std::string_view> names;
  std::vector<std::string_view> words;
  for (const Family* family : kFamilies) {
    names.push_back(family->name);
    words.push_back(family->name);
    words.insert(words.end(), family->aliases.begin(), family->aliases.end());
  }
  const std::string_view near = nearest_name(call.name, words);
  const std::string hint = near.empty() ? "" : fmt::format("did you mean '{}'? ", near);
  throw call.error(call.name_where, fmt::format("no topology is called '{}'; {}known families: {}", call.name,
                                                hint, join(names)));
}

Topology build_topology(const SpecCall& call) {
  const Family& family = family_of(call);
  return pointing_at(call, [&] { return family.build(call); });
}

TopologyFacts topology_facts(const SpecCall& call) {
  const Family& family = family_of(call);
  return pointing_at(call, [&] { return family.facts(call); });
}

}  // namespace quadrille
