// A torus of accelerators, 2023.
#include "quadrille/model/machine.h"

namespace quadrille::machines {

extern const Machine tpu_v5p;
constinit const Machine tpu_v5p = {
    .name = "tpu_v5p",
    .summary = "TPU v5p: 100 GB/s a link each way, 2 us to start",
    .network = "torus of three dimensions, all ports",
    .source =
        "Google Cloud: TPU v5p, 1,200 GB/s a chip both ways over six links; the start-up is ours, none is published",
    .cost = {.ts = 2.0, .tx = 1.0 / 100000, .in_microseconds = true},
};

}  // namespace quadrille::machines
