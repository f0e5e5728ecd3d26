// The command line of quadrille-mpi: its one command takes what `quadrille run` takes
// (options/run_options.h).
#pragma once

#include <span>
#include <string>

#include "quadrille/options/argument_parser.h"
#include "quadrille/options/run_options.h"

namespace quadrille {

/// The arguments after the program's name.
class MpiArguments {
 public:
  /// Throws InputError.
  explicit MpiArguments(std::span<const std::string> words);
  MpiArguments(const MpiArguments&) = delete;  // the options know the parser by its address
  MpiArguments& operator=(const MpiArguments&) = delete;
  ~MpiArguments() = default;

  [[nodiscard]] const RunOptions& options() const { return options_; }
  /// The text to print instead, for --help; else empty.
  [[nodiscard]] const std::string& help() const { return help_; }

 private:
  ArgumentParser parser_{"quadrille-mpi run"};
  RunOptions options_{};
  std::string help_{};
};

}  // namespace quadrille
