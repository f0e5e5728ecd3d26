#include "quadrille/mpi/tune.h"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/exporters/exporter.h"
#include "quadrille/mpi/agreement.h"
#include "quadrille/mpi/machine.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/problem_options.h"
#include "quadrille/program/program_digest.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille_mpi/tune.h"

namespace quadrille {
namespace {

struct TuneOptions {
  std::string collectives{};
  std::string topology{};
  std::string output{};
  std::string sizes = "64,1K,16K,256K";
  std::string root{};
  uint32_t milliseconds = 500;
  uint32_t candidates = 4;
  std::string help{};

  [[nodiscard]] std::vector<uint64_t> bytes() const {
    std::vector<uint64_t> out = parse_byte_sizes(sizes, "--sizes");
    if (out.size() > QD_TUNE_SIZES)
      throw InputError(fmt::format("--sizes: {} sizes are given; allowed are at most {}", out.size(),
                                   static_cast<int>(QD_TUNE_SIZES)));
    return out;
  }
};

TuneOptions options_of(std::span<const std::string> words) {
  TuneOptions out;
  ArgumentParser parser("quadrille-mpi tune");
  parser.add_option("COLLECTIVES", out.collectives, "all, or some: alltoall,allreduce")->required();
  parser.add_option("TOPOLOGY", out.topology, "the network, such as \"torus(4,4)\"")->required();
  parser
      .add_option("-o,--output", out.output, "the folder of the set; what it has of an older one is replaced")
      ->required()
      ->type_name("FOLDER");
  parser
      .add_option("--sizes", out.sizes,
                  "sizes of messages that are measured, as `compare --bytes` takes them (64,1K,16K,256K)")
      ->type_name("SIZES");
  parser
      .add_option(
          "--candidates", out.candidates,
          "plans of a collective that are measured, half as many whose messages the network forwards, and at most as many of few messages (4)")
      ->type_name("N")
      ->range(1, 12);
  parser.add_option("--milliseconds", out.milliseconds, "for one collective and size, about (500)")
      ->type_name("N")
      ->range(1, 3600000);
  parser.add_option("--root", out.root, "of rooted collectives: a node, or all (the first)")
      ->type_name("NODE");
  if (parser.read(words)) return out;
  out.help = fmt::format(
      "Measures plans for a network against what the MPI library does itself, and writes the set of\n"
      "programs of those that are faster, for the sizes where they are.\n\nUsage: {}\n\n",
      parser.usage());
  for (const auto& [names, description] : parser.help_lines())
    out.help += fmt::format("  {:<22}  {}\n", names, description);
  out.help +=
      "\nStart one process for every endpoint, placed as the program's will be:\n"
      "  mpirun -n 16 quadrille-mpi tune all \"torus(4,4)\" -o torus_4_4\n"
      "  QUADRILLE_PROGRAMS=torus_4_4 mpirun -n 16 -x LD_PRELOAD=libquadrille_pmpi.so PROGRAM\n";
  return out;
}

// At rank 0: files of the best few plans.
std::string make_candidates(const TuneOptions& options, const Topology& topology, double ts, double tx) {
  // Nobody is to find an old index among new programs.
  std::error_code none;
  std::filesystem::remove(std::filesystem::path(options.output) / "programs.txt", none);
  SetToExport what{.topology = topology, .collectives = collectives_of_set(options.collectives)};
  what.model = model_of_set(topology, {});
  what.model.cost = {.ts = ts, .tx = tx, .in_microseconds = true};
  what.root = options.root;
  what.sizes = options.bytes();
  what.candidates = options.candidates;
  static_cast<void>(exporter_catalog().find("program-set")->write_set(what, options.output));
  return options.output;
}

}  // namespace

bool is_tune(std::span<const std::string> words) { return !words.empty() && words[0] == "tune"; }

int tune_everywhere(std::span<const std::string> words) {
  const bool speaks = my_rank() == 0;
  const TuneOptions options = together([&] { return options_of(words); });
  Digest asked;
  for (const std::string& word : words) asked.add(word);
  agree_on(asked.value(), "the arguments", fmt::format("tune {}", fmt::join(words, " ")));
  if (!options.help.empty()) {
    if (speaks) std::cout << options.help;
    return kRight;
  }
  const std::vector<uint64_t> sizes = together([&] { return options.bytes(); });
  const Topology topology = together([&] {
    Topology out = parse_topology(options.topology);
    if (static_cast<uint32_t>(num_ranks()) != out.num_endpoints())
      throw InputError(
          fmt::format("{} has {} endpoints, but {} MPI ranks were started; start them with -n {}", out.name(),
                      out.num_endpoints(), num_ranks(), out.num_endpoints()));
    static_cast<void>(collectives_of_set(options.collectives));
    return out;
  });
  double ts = 0;
  double tx = 0;
  qd_measure_links(MPI_COMM_WORLD, &ts, &tx);
  if (speaks) {
    std::cout << fmt::format("machine       {} ranks of {}: a start-up {:.3g} us, a byte {:.3g} ns\n\n",
                             num_ranks(), mpi_library(), ts, 1e3 * tx)
              << std::flush;
  }
  const std::string folder =
      together([&] { return speaks ? make_candidates(options, topology, ts, tx) : std::string(); });
  const qd_tuning what{.folder = folder.c_str(),
                       .sizes = sizes.data(),
                       .num_sizes = static_cast<int>(sizes.size()),
                       .seconds = 1e-3 * options.milliseconds,
                       .ts = ts,
                       .tx = tx};
  std::array<char, QD_TUNE_ERROR> error{};
  // The same on all ranks.
  if (qd_tune(MPI_COMM_WORLD, &what, stdout, error.data()) == 0)
    throw Stop(kBadInput, fmt::format("error: {}", error.data()));
  if (speaks) std::cout << fmt::format("\nwritten       {}\n", options.output);
  return kRight;
}

}  // namespace quadrille
