// Any bytes either are an InputError or a topology whose name is a spec of the same graph.
#include "quadrille/topology/topology_spec.h"

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/topology/catalog.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quadrille;
  constexpr size_t kMaxBytes = 4096;
  constexpr int kMaxNodes = 2000;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // What lies on the disk is not the fuzzer's; graph_reader.fuzz.cc tries files.
  if (size > kMaxBytes || text.find("file") != std::string_view::npos) return -1;
  std::optional<TopologyFacts> facts;
  try {
    facts = topology_facts(parse_spec(text, "fuzz"));
  } catch (const InputError&) {
    return 0;
  }
  // From here on a mistake is ours, and nothing is caught.
  const TopologyFacts again = topology_facts(parse_spec(facts->spec, "canonical"));
  QUADRILLE_CHECK(again.spec == facts->spec, facts->spec);
  QUADRILLE_CHECK(again.nodes == facts->nodes && again.links == facts->links, facts->spec);
  if (facts->nodes > kMaxNodes || facts->links > 4 * kMaxNodes) return 0;
  const Topology net = parse_topology(text);
  QUADRILLE_CHECK(net.name() == facts->spec, facts->spec);
  QUADRILLE_CHECK(Int128{net.num_nodes()} == facts->nodes, facts->spec);
  QUADRILLE_CHECK(net.same_graph(parse_topology(net.name())), facts->spec);
  return 0;
}
