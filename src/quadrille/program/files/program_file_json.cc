// The JSON form of program files: docs/program_format.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "quadrille/base/json/json_text.h"
#include "quadrille/program/files/program_file.h"

namespace quadrille {
namespace {

void add_runs(const RankProgram& rank, const Action& action, std::string& out) {
  const char* between = "";
  for (const SlotRun& run : rank.runs_of(action)) {
    out += fmt::format("{}[\"{}\", {}, {}]", between, name_of(run.buffer), run.first, run.count);
    between = ", ";
  }
}

void add_action(const RankProgram& rank, const Action& action, std::string& out) {
  out += fmt::format("{{\"step\": {}, \"do\": \"{}\"", action.step + 1, name_of(action.kind));
  if (starts_request(action.kind)) {
    out += fmt::format(", \"peer\": {}, \"slots\": [", index(action.peer));
    add_runs(rank, action, out);
    out += "], \"blocks\": [";
    const char* between = "";
    for (const BlockId block : rank.blocks_of(action)) {
      out += fmt::format("{}{}", between, index(block));
      between = ", ";
    }
    out += "]";
  } else if (action.kind == ActionKind::kWait) {
    out += ", \"for\": [";
    const char* between = "";
    for (const uint32_t request : rank.requests_of(action)) {
      out += fmt::format("{}{}", between, request);
      between = ", ";
    }
    out += "]";
  } else if (is_local(action.kind)) {
    out += ", \"slots\": [";
    add_runs(rank, action, out);
    out += "]";
  }
  out += "}";
}

void add_translations(const Translations& all, std::string& out) {
  out += "\"translations\": {\"generators\": [";
  const char* between = "\n  ";
  for (const std::vector<uint32_t>& generator : all.generators) {
    out += fmt::format("{}[{}]", between, fmt::join(generator, ", "));
    between = ",\n  ";
  }
  out += "],\n  \"ways\": [";
  between = "";
  for (const Translations::LastStep& way : all.ways) {
    out += fmt::format("{}[{}, {}]", between, way.before, way.generator);
    between = ", ";
  }
  out += "]},\n";
}

}  // namespace

std::string write_program_json(const ProgramFile& file) {
  const Collective& collective = file.program.collective;
  // Refuses what a program file cannot hold, and what is no good.
  const uint64_t digest = digest_of_program_file(write_program(file));
  std::string out =
      fmt::format("{{\n\"format\": \"quadrille-program\",\n\"version\": {},\n", version_of(file));
  out += fmt::format("\"topology\": {},\n\"algorithm\": {},\n", json_string(file.topology),
                     json_string(file.algorithm));
  out += fmt::format("\"collective\": \"{}\",\n\"num_ranks\": {},\n\"pieces\": {},\n", collective.name(),
                     collective.num_ranks(), collective.pieces());
  if (const auto root = collective.root()) out += fmt::format("\"root\": {},\n", index(*root));
  out += fmt::format("\"in_order\": {},\n\"digest\": \"{:016x}\",\n", file.in_order, digest);
  if (file.translations) add_translations(*file.translations, out);
  out += "\"ranks\": [";
  const char* between = "\n";
  for (const RankProgram& rank : file.program.ranks) {
    out += fmt::format(
        "{}{{\"rank\": {}, \"input_slots\": {}, \"output_slots\": {}, \"scratch_slots\": {}, \"actions\": [",
        between, index(rank.rank), rank.input_slots, rank.output_slots, rank.scratch_slots);
    const char* comma = "\n  ";
    for (const Action& action : rank.actions) {
      out += comma;
      add_action(rank, action, out);
      comma = ",\n  ";
    }
    out += "]}";
    between = ",\n";
  }
  out += "\n]\n}\n";
  return out;
}

}  // namespace quadrille
