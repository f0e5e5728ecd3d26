// Links of 200 Gbit/s: today's.
#include "quadrille/model/machine.h"

namespace quadrille::machines {

extern const Machine links_200g;
constinit const Machine links_200g = {
    .name = "links_200g",
    .summary = "links of 200 Gbit/s, as of Ethernet and InfiniBand, and 1 us to start",
    .network = "any",
    .source =
        "200 Gbit/s a port: IEEE 802.3 and InfiniBand HDR; 1 us: a small message of MPI over such links, rounded",
    .cost = {.ts = 1.0, .tx = 8.0 / 200000, .in_microseconds = true},
};

}  // namespace quadrille::machines
