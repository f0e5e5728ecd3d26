// Intel Paragon, 1992: the machine of the first papers on exchanges by worms.
#include "quadrille/model/machine.h"

namespace quadrille::machines {

extern const Machine paragon;
constinit const Machine paragon = {
    .name = "paragon",
    .summary = "Intel Paragon, as a paper of 1999 takes it: 216 us to start, 44 MB/s",
    .network = "mesh of two dimensions, wormhole switching, one port",
    .source =
        "Tseng, Ni, Sheu 1999, section 6: ts = 216 us and tx = 0.0226 us a byte, after Juurlink, IPPS 1998",
    .cost = {.ts = 216.0, .tx = 0.0226, .in_microseconds = true},
};

}  // namespace quadrille::machines
