// The program file of a schedule: what several exporters write.
#pragma once

#include "quadrille/exporters/exporter.h"
#include "quadrille/program/files/program_file.h"

namespace quadrille {

[[nodiscard]] ProgramFile program_of_schedule(const ScheduleToExport& what);

}  // namespace quadrille
