// Intel Paragon under the lean operating system of Sandia, 1994.
#include "quadrille/model/machine.h"

namespace quadrille::machines {

extern const Machine paragon_sunmos;
constinit const Machine paragon_sunmos = {
    .name = "paragon_sunmos",
    .summary = "Intel Paragon under SUNMOS, as measured in 1994: 70 us to start, 170 MB/s",
    .network = "mesh of two dimensions, wormhole switching, one port",
    .source =
        "Saini, Simon: Applications performance under OSF/1 AD and SUNMOS on Intel Paragon XP/S-15, NAS report "
        "RNR-94-016, 1994, section 1 (under OSF/1 AD: some 100 us and 30 to 35 MB/s)",
    .cost = {.ts = 70.0, .tx = 1.0 / 170, .in_microseconds = true},
};

}  // namespace quadrille::machines
