#include "quadrille/cli/remarks.h"

#include <ostream>
#include <string>

namespace quadrille {

void say_remarks(const Topology& network, Console& console, size_t known) {
  for (const std::string& remark : network.remarks().subspan(known))
    console.err << "warning: " << remark << "\n";
}

}  // namespace quadrille
