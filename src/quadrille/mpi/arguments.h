// The command line of quadrille-mpi.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "quadrille/schedule/problem.h"

namespace quadrille {

struct MpiArguments {
  std::string collective{};
  std::string topology{};
  std::string ports = "all";
  std::string send_ports{};
  std::string receive_ports{};
  std::string switching = "packet";
  std::string duplex = "full";
  std::optional<uint32_t> root{};
  uint32_t pieces = 1;
  std::string algorithm = "auto";
  std::string plan_file{};   ///< then the problem is the file's
  bool allow_files = false;  ///< that file may name a graph file
  size_t block_bytes = 1024;
  uint32_t iterations = 1;
  bool json = false;

  /// Throws InputError.
  [[nodiscard]] Problem problem() const;
};

/// The arguments after the program's name; or the text to print instead, for --help. Throws InputError.
struct ParsedArguments {
  MpiArguments arguments;
  std::string help{};
};
[[nodiscard]] ParsedArguments parse_arguments(std::span<const std::string> words);

}  // namespace quadrille
