#include "quadrille/testing/source_path.test.h"

namespace quadrille {

std::string source_path(std::string_view below) {
  return std::string(QUADRILLE_SOURCE_DIR "/").append(below);
}

}  // namespace quadrille
