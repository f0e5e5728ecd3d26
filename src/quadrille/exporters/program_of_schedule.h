// The program file of a schedule: what several exporters write.
#pragma once

#include <functional>
#include <memory>

#include "quadrille/exporters/exporter.h"
#include "quadrille/program/files/program_file.h"

namespace quadrille {

/// Of all ranks.
[[nodiscard]] ProgramFile program_of_schedule(const ScheduleToExport& what);
/// Of rank 0 with translations where every step is the same after each of them, else of all ranks; `before_all` is called
/// before the latter, and may throw.
[[nodiscard]] ProgramFile smallest_program_of(const ScheduleToExport& what,
                                              const std::function<void()>& before_all = {});

/// The same of a plan that is too large to be kept (Exporter::stream).
[[nodiscard]] std::unique_ptr<StreamedExport> stream_program(const Problem& problem);

}  // namespace quadrille
