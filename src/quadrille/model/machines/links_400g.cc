// Links of 400 Gbit/s: today's.
#include "quadrille/model/machine.h"

namespace quadrille::machines {

extern const Machine links_400g;
constinit const Machine links_400g = {
    .name = "links_400g",
    .summary = "links of 400 Gbit/s, as of Ethernet and InfiniBand, and 1 us to start",
    .network = "any",
    .source =
        "400 Gbit/s a port: IEEE 802.3 and InfiniBand NDR; 1 us: a small message of MPI over such links, rounded",
    .cost = {.ts = 1.0, .tx = 8.0 / 400000, .in_microseconds = true},
};

}  // namespace quadrille::machines
