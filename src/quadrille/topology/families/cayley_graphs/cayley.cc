#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "quadrille/topology/cayley/abelian_group.h"
#include "quadrille/topology/cayley/permutation_group.h"
#include "quadrille/topology/family.h"
#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace cayley_parts {
namespace {

constexpr std::string_view kSyntax = "cayley(Z(m1,..,md);g1,g2,..) or cayley(S(n);g1,g2,..)";
constexpr std::string_view kSamples[] = {"cayley(Z(2);1)",
                                         "cayley(Z(12);1,11,5,7)",
                                         "cayley(Z(7);2,5)",
                                         "cayley(Z(4,6);[1,0],[3,0],[0,1],[0,5])",
                                         "cayley(Z(3,3);[1,1],[2,2],[1,2],[2,1])",
                                         "cayley(S(4);(0 1),(1 2),(2 3))",
                                         "cayley(S(4);(0 1 2),(0 2 1),(1 2 3),(1 3 2))",
                                         "cayley(S(5);(0 1 2 3 4),(0 4 3 2 1))",
                                         "cayley(S(3);(0 1))"};
constexpr uint64_t kMaxModulus = 0xffffffffU;

using Tuple = std::vector<uint64_t>;

// What all generators must be: not the identity, each once, closed under inverses. `text` writes one as a
// spec does.
template <typename Element, typename Inverse, typename Text>
void check_generators(const SpecCall& call, const std::vector<Element>& elements, const Element& identity,
                      Inverse inverse, Text text) {
  const std::vector<Arg>& args = call.sections[1].args;
  std::set<Element> seen;
  for (size_t k = 0; k < elements.size(); ++k) {
    if (elements[k] == identity) {
      throw call.error(args[k].where, "the identity cannot be a generator: it links every node to itself");
    }
    if (!seen.insert(elements[k]).second) {
      throw call.error(args[k].where, fmt::format("generator {} is listed twice", text(elements[k])));
    }
  }
  for (size_t k = 0; k < elements.size(); ++k) {
    const Element back = inverse(elements[k]);
    if (seen.count(back) == 0) {
      throw call.error(args[k].where, fmt::format("generator {} has no inverse among the generators; add {}",
                                                  text(elements[k]), text(back)));
    }
  }
}

struct Modular {
  std::vector<uint64_t> moduli;
  std::vector<Tuple> generators;  // ascending
};

std::string tuple_text(const Tuple& tuple) {
  if (tuple.size() == 1) return fmt::format("{}", tuple[0]);
  return fmt::format("[{}]", fmt::join(tuple, ","));
}

// Whether integer combinations of the generators reach every element: eliminates column by column, with the
// row "modulus times unit vector" among the rows, and asks for a pivot of 1 everywhere.
bool generates_all(const Modular& given) {
  std::vector<Tuple> rows = given.generators;
  for (size_t c = 0; c < given.moduli.size(); ++c) {
    Tuple pivot(given.moduli.size(), 0);
    pivot[c] = given.moduli[c];
    for (Tuple& row : rows) {
      while (row[c] != 0) {  // Euclid on whole rows
        const uint64_t times = pivot[c] / row[c];
        for (size_t j = c; j < row.size(); ++j) {
          const uint64_t m = given.moduli[j];
          const uint64_t less = times % m * row[j] % m;  // below 2^64: moduli fit 32 bits
          pivot[j] = j == c ? pivot[j] - times * row[j] : (pivot[j] + m - less) % m;
        }
        std::swap(pivot, row);
      }
    }
    if (pivot[c] != 1) return false;
  }
  return true;
}

Modular read_modular(const SpecCall& call) {
  const SpecCall& group = call.sections[0].args[0].call[0];
  Modular out;
  out.moduli = read_only_numbers(group, "modulus", "Z(m1,..,md)", 1, kMaxModulus);
  for (const Arg& arg : call.sections[1].args) {
    Tuple tuple = arg.kind == ArgKind::kTuple ? arg.tuple : Tuple{arg.number};
    if (arg.kind != ArgKind::kTuple && arg.kind != ArgKind::kNumber) {
      throw call.error(arg.where, fmt::format("a generator of {} is a number or a tuple like [1,0], not '{}'",
                                              group.quote(group.where), call.quote(arg.where)));
    }
    if (tuple.size() != out.moduli.size()) {
      throw call.error(arg.where,
                       fmt::format("{} needs {} component{}, not {}", group.quote(group.where),
                                   out.moduli.size(), out.moduli.size() == 1 ? "" : "s", tuple.size()));
    }
    for (size_t i = 0; i < tuple.size(); ++i) {
      if (tuple[i] >= out.moduli[i]) {
        throw call.error(arg.where,
                         fmt::format("component {} must be below its modulus {}", tuple[i], out.moduli[i]));
      }
    }
    out.generators.push_back(std::move(tuple));
  }
  const auto inverse = [&](Tuple tuple) {
    for (size_t i = 0; i < tuple.size(); ++i) tuple[i] = (out.moduli[i] - tuple[i]) % out.moduli[i];
    return tuple;
  };
  check_generators(call, out.generators, Tuple(out.moduli.size(), 0), inverse, tuple_text);
  std::sort(out.generators.begin(), out.generators.end());
  if (!generates_all(out)) {
    throw call.error(call.sections[1].where,
                     fmt::format("these generators do not reach every element of {}: the "
                                 "graph is not connected",
                                 group.quote(group.where)));
  }
  return out;
}

Permutation read_cycles(const SpecCall& call, const Arg& arg, uint32_t points) {
  if (arg.kind != ArgKind::kPermutation) {
    throw call.error(arg.where, fmt::format("a generator of S({}) is a permutation like (0 1)(2 3), not '{}'",
                                            points, call.quote(arg.where)));
  }
  Permutation out = identity_permutation(points);
  std::vector<char> seen(points, 0);
  for (const std::vector<uint64_t>& cycle : arg.cycles) {
    for (size_t i = 0; i < cycle.size(); ++i) {
      if (cycle[i] >= points) {
        throw call.error(arg.where, fmt::format("S({}) permutes the points 0 to {}, not {}", points,
                                                points - 1, cycle[i]));
      }
      if (seen[cycle[i]] != 0) {
        throw call.error(arg.where, fmt::format("point {} occurs twice in this permutation", cycle[i]));
      }
      seen[cycle[i]] = 1;
      out[cycle[i]] = static_cast<uint8_t>(cycle[(i + 1) % cycle.size()]);
    }
  }
  return out;
}

struct Permuting {
  uint32_t points = 0;
  std::vector<Permutation> generators;  // ascending
};

Permuting read_permuting(const SpecCall& call) {
  const SpecCall& group = call.sections[0].args[0].call[0];
  Permuting out;
  out.points =
      static_cast<uint32_t>(read_only_number(group, "number of points", "S(n)", 1, kMaxGeneratedPoints));
  for (const Arg& arg : call.sections[1].args) out.generators.push_back(read_cycles(call, arg, out.points));
  check_generators(call, out.generators, identity_permutation(out.points), inverse_of, cycle_text);
  std::sort(out.generators.begin(), out.generators.end());
  return out;
}

bool is_modular(const SpecCall& call) {
  expect_sections(call, 2, 2, kSyntax);
  expect_arguments(call, 0, 1, kSyntax);
  const Arg& group = call.sections[0].args[0];
  if (group.kind != ArgKind::kCall || (group.call[0].name != "Z" && group.call[0].name != "S")) {
    throw call.error(group.where,
                     fmt::format("'{}' is no group; write Z(12), Z(4,6) or S(4)", call.quote(group.where)));
  }
  if (call.sections[1].args.empty()) {
    throw call.error({call.sections[1].where.begin, call.sections[1].where.begin + 1},
                     fmt::format("cayley needs at least one generator: {}", kSyntax));
  }
  return group.call[0].name == "Z";
}

// Adds what any Cayley graph tells by its group.
TopologyFacts facts_of(std::string spec, Int128 order, size_t degree, std::string group) {
  TopologyFacts out;
  out.spec = std::move(spec);
  out.nodes = out.endpoints = order;
  out.links = checked_product(order, Int128{degree}, "number of links") / 2;
  set_symmetric(out, Int128{degree}, std::nullopt, std::nullopt, std::move(group));
  return out;
}

TopologyFacts facts(const SpecCall& call) {
  std::vector<std::string> texts;
  if (is_modular(call)) {
    const Modular given = read_modular(call);
    for (const Tuple& g : given.generators) texts.push_back(tuple_text(g));
    Int128 order = 1;
    std::vector<std::string> parts;
    for (const uint64_t m : given.moduli) {
      order = checked_product(order, m, "number of nodes");
      parts.push_back(fmt::format("Z_{}", m));
    }
    return facts_of(fmt::format("cayley({};{})", spec_text("Z", given.moduli), fmt::join(texts, ",")), order,
                    given.generators.size(), fmt::format("{}", fmt::join(parts, " x ")));
  }
  const Permuting given = read_permuting(call);
  for (const Permutation& g : given.generators) texts.push_back(cycle_text(g));
  const auto group = generated_group(given.points, given.generators);
  return facts_of(fmt::format("cayley(S({});{})", given.points, fmt::join(texts, ",")), group->order(),
                  given.generators.size(), group->name());
}

Topology build(const SpecCall& call) {
  const TopologyFacts known = facts(call);
  require_buildable(call, known.nodes, 2 * known.links);
  std::shared_ptr<const Group> group;
  std::vector<uint32_t> generators;
  if (is_modular(call)) {
    const Modular given = read_modular(call);
    for (const Tuple& g : given.generators) {
      uint32_t element = 0;
      for (size_t i = 0; i < g.size(); ++i)
        element = element * static_cast<uint32_t>(given.moduli[i]) + static_cast<uint32_t>(g[i]);
      generators.push_back(element);
    }
    group = abelian_group({given.moduli.begin(), given.moduli.end()});
  } else {
    const Permuting given = read_permuting(call);
    const auto permuting = generated_group(given.points, given.generators);
    for (const Permutation& g : given.generators) generators.push_back(*permuting->element(g));
    group = permuting;
  }
  TopologyBuilder builder(known.spec, group->order());
  builder.cayley(std::move(group), std::move(generators));
  return builder.build();
}

}  // namespace
}  // namespace cayley_parts

namespace families {

extern const Family cayley;

constinit const Family cayley = {
    .name = "cayley",
    .summary = "a Cayley graph: the elements of a group, x linked to x*g for every generator g",
    .syntax = cayley_parts::kSyntax,
    .parameters =
        "Z(m1,..,md): tuples modulo m1,..,md, generators like [1,0] (plain numbers when d = 1); S(n): "
        "permutations of 0..n-1, generators in cycles like (0 1)(2 3), the nodes being the group that they "
        "generate; with every generator its inverse",
    .numbering = "tuples in row-major order; permutations in lexicographic order of their one-line notation",
    .source = "",
    .samples = cayley_parts::kSamples,
    .build = cayley_parts::build,
    .facts = cayley_parts::facts,
};

}  // namespace families

}  // namespace quadrille
