// Intel Paragon, 1992: the machine of the first papers on exchanges by worms.
#include "quadrille/model/machine.h"

namespace quadrille::machines {

extern const Machine paragon;
constinit const Machine paragon = {
    .name = "paragon",
    .summary = "Intel Paragon: 30 us to start, 154 MB/s",
    .network = "mesh of two dimensions, wormhole switching, one port",
    .source = "Dongarra, Dunigan: Message-passing performance of various computers, UT-CS-95-299 (rounded)",
    .cost = {.ts = 30.0, .tx = 1.0 / 154, .in_microseconds = true},
};

}  // namespace quadrille::machines
