// The first byte chooses a format; any others either are an InputError or a connected graph.
#include "quadrille/topology/graph_files/graph_reader.h"

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quadrille;
  constexpr size_t kMaxBytes = 4096;
  if (size == 0 || size > kMaxBytes) return -1;
  GraphFormat format = GraphFormat::kGraphMl;
  switch (data[0]) {
    case 'x':
      break;
    case 'g':
      format = GraphFormat::kGml;
      break;
    case 'd':
      format = GraphFormat::kDot;
      break;
    case 'e':
      format = GraphFormat::kEdgeList;
      break;
    case 'j':
      format = GraphFormat::kNodeLink;
      break;
    case 'm':
      format = GraphFormat::kMetis;
      break;
    case 'i':
      format = GraphFormat::kIbnetdiscover;
      break;
    case 'n':
      format = GraphFormat::kNvidiaSmi;
      break;
    default:
      return -1;
  }
  try {
    const std::string content(reinterpret_cast<const char*>(data) + 1, size - 1);
    const Topology net = read_graph("net", "net", content, format);
    QUADRILLE_CHECK(net.num_endpoints() >= 1 && net.num_endpoints() <= net.num_nodes(), net.name());
  } catch (const InputError& error) {
    QUADRILLE_CHECK(std::string_view(error.what()).substr(0, 3) == "net", error.what());
  }
  return 0;
}
