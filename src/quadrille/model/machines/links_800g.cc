// Links of 800 Gbit/s: the newest.
#include "quadrille/model/machine.h"

namespace quadrille::machines {

extern const Machine links_800g;
constinit const Machine links_800g = {
    .name = "links_800g",
    .summary = "links of 800 Gbit/s, as of Ethernet and InfiniBand, and 1 us to start",
    .network = "any",
    .source =
        "800 Gbit/s a port: IEEE 802.3 and InfiniBand XDR; 1 us: a small message of MPI over such links, rounded",
    .cost = {.ts = 1.0, .tx = 8.0 / 800000, .in_microseconds = true},
};

}  // namespace quadrille::machines
