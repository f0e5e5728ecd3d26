// program-json: the same as program, for people and for programs that translate it.
#include "quadrille/exporters/program_of_schedule.h"

namespace quadrille::exporters {
namespace program_json_parts {
namespace {

std::string write(const ScheduleToExport& what) { return write_program_json(program_of_schedule(what)); }

}  // namespace
}  // namespace program_json_parts

extern const Exporter program_json;

constinit const Exporter program_json{.name = "program-json",
                                      .summary = "the same as JSON, an action a line",
                                      .extension = ".json",
                                      .write = program_json_parts::write};

}  // namespace quadrille::exporters
