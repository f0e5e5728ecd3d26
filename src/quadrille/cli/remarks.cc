#include "quadrille/cli/remarks.h"

#include <ostream>
#include <string>

namespace quadrille {

void say_remarks(const Topology& network, Console& console) {
  for (const std::string& remark : network.remarks()) console.err << "warning: " << remark << "\n";
}

}  // namespace quadrille
