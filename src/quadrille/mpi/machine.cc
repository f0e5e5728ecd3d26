#include "quadrille/mpi/machine.h"

#include <mpi.h>

#include <algorithm>
#include <array>

#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/mpi/agreement.h"

namespace quadrille {

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string name(text.data(), static_cast<size_t>(length));
  name = name.substr(0, name.find_first_of(",\n"));
  std::ranges::replace(name, '\t', ' ');
  return name;
}

void require_memory_everywhere(double needed, const JobOptions& options) {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MemoryLimit there = memory_limit();
  uint64_t least = there.bytes;
  MPI_Allreduce(MPI_IN_PLACE, &needed, 1, MPI_DOUBLE, MPI_SUM, machine);
  MPI_Comm_free(&machine);
  MPI_Allreduce(MPI_IN_PLACE, &needed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  if (least < there.bytes) there = {least, "another of the machines has"};
  together([&] {
    require_memory(needed, there, options);
    return true;
  });
}

}  // namespace quadrille
