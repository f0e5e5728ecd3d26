// Clashes with its neighbour, for the test of dev/check_groups.py. Nothing compiles it.
namespace quadrille {
namespace {

struct Point {};
constexpr int kMost = 3;
using Names = int;

int read(int line) { return line; }

int overloaded(long a) {
  const int seen = 2;
  return seen;
}

}  // namespace

namespace b_parts {
namespace {

int apart() { return 0; }

}  // namespace
}  // namespace b_parts
}  // namespace quadrille
