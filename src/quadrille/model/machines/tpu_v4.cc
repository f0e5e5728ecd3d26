// A torus of accelerators, 2021.
#include "quadrille/model/machine.h"

namespace quadrille::machines {

extern const Machine tpu_v4;
constinit const Machine tpu_v4 = {
    .name = "tpu_v4",
    .summary = "TPU v4: 50 GB/s a link each way, 2 us to start",
    .network = "torus of three dimensions, all ports",
    .source =
        "Google Cloud: TPU v4, 2,400 Gbit/s a chip over six links; the start-up is ours, none is published",
    .cost = {.ts = 2.0, .tx = 1.0 / 50000, .in_microseconds = true},
};

}  // namespace quadrille::machines
