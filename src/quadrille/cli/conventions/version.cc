#include "quadrille/cli/conventions/version.h"

#include <string_view>

namespace quadrille {
namespace {

// Two literals, the version and the commit: written by cmake/version.cmake with every build.
constexpr std::string_view kVersionAndCommit[] = {
#include "quadrille_version.inc"
};

}  // namespace

std::string version_text() {
  std::string out = "quadrille " + std::string(kVersionAndCommit[0]);
  if (!kVersionAndCommit[1].empty()) out += " (commit " + std::string(kVersionAndCommit[1]) + ")";
  return out;
}

}  // namespace quadrille
