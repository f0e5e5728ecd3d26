// program: what each rank does, as 32-bit words that the MPI library runs (docs/program_format.md).
#include "quadrille/exporters/program_of_schedule.h"

namespace quadrille::exporters {
namespace program_parts {
namespace {

std::string write(const ScheduleToExport& what) { return write_program(smallest_program_of(what)); }

}  // namespace
}  // namespace program_parts

extern const Exporter program;

constinit const Exporter program{.name = "program",
                                 .summary = "what each rank does, in words that a few lines of C can run",
                                 .extension = ".qprog",
                                 .write = program_parts::write,
                                 .stream = stream_program};

}  // namespace quadrille::exporters
