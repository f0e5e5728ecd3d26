// Clashes with its neighbour, for the test of dev/check_groups.py. Nothing compiles it.
namespace quadrille {
namespace {

struct Point {};
constexpr int kMost = 3;
using Names = int;

int seen{0};

int read(int line) { return line; }

int overloaded(int a) { return a; }

}  // namespace

namespace a_parts {
namespace {

int apart() { return 0; }

}  // namespace
}  // namespace a_parts
}  // namespace quadrille
