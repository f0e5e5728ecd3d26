// Family: a card that says what a family of topologies is, how its spec is written, what is known about its
// members in closed form, and how one is built.
//
// One family is one file, families/<name>.cc, that defines one constant card named like the file, and one
// line in catalog.inc. The name is the file, the symbol, the word in specs, the anchor in docs/topologies.md
// and the name of its tests. Both functions are pure and throw a SpecError that points at the mistake.
#pragma once

#include <span>
#include <string_view>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/spec_parser.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct Family {
  std::string_view name{};
  std::string_view summary{};
  std::string_view syntax{};                    ///< "torus(n1,..,nd)"
  std::string_view parameters{};                ///< what the numbers mean and may be
  std::string_view numbering{};                 ///< which node has which number
  std::string_view source{};                    ///< where closed forms and claims come from, or remarks
  std::span<const std::string_view> aliases{};  ///< other words of the field that specs may use
  /// Small members, the degenerate ones among them: tests of the whole project run over these.
  std::span<const std::string_view> samples{};
  /// Its members come out of files of this machine: who reads the spec of a stranger may not want that.
  bool opens_files = false;

  Topology (*build)(const SpecCall&) = nullptr;
  TopologyFacts (*facts)(const SpecCall&) = nullptr;
  /// The same member without its links (topology/products/outline.h). Null where they must be listed.
  Topology (*outline)(const SpecCall&) = nullptr;
};

}  // namespace quadrille
