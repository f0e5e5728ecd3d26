// one_rank_fails: what one rank alone catches amid a run is said before the job ends, in which the others wait for that rank.
#include <mpi.h>

#include "quadrille/base/input_error.h"
#include "quadrille/mpi/mpi_transport.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    quadrille::MpiTransport transport(MPI_COMM_WORLD);
    try {
      if (transport.rank() == quadrille::Rank{1}) throw quadrille::InputError("it fails on purpose");
      transport.barrier();
    } catch (const quadrille::InputError&) {
      transport.give_up();
    }
  }
  MPI_Finalize();
  return 0;
}
