// Cray T3D, 1993.
#include "quadrille/model/machine.h"

namespace quadrille::machines {

extern const Machine t3d;
constinit const Machine t3d = {
    .name = "t3d",
    .summary = "Cray T3D, messages in PVM: 21 us to start, 27 MB/s",
    .network = "torus of three dimensions, wormhole switching",
    .source =
        "attributed to Dongarra, Dunigan: Message-passing performance of various computers, UT-CS-95-299, whose "
        "table was not at hand",
    .cost = {.ts = 21.0, .tx = 1.0 / 27, .in_microseconds = true},
};

}  // namespace quadrille::machines
