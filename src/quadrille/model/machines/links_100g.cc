// Links of 100 Gbit/s: what is taken where nobody names a machine.
#include "quadrille/model/machine.h"

namespace quadrille::machines {

extern const Machine links_100g;
constinit const Machine links_100g = {
    .name = "links_100g",
    .summary =
        "links of 100 Gbit/s, as of Ethernet and InfiniBand, and 1 us to start (taken where a size is given and no machine)",
    .network = "any",
    .source =
        "100 Gbit/s a port: IEEE 802.3 and InfiniBand EDR; 1 us: a small message of MPI over such links, rounded",
    .cost = {.ts = 1.0, .tx = 8.0 / 100000, .in_microseconds = true},
};

}  // namespace quadrille::machines
