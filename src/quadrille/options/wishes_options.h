// The options that say how a plan is made and run, apart from the problem. One description for every command
// and program, so that the same words mean the same and choose the same.
#pragma once

#include <cstdint>
#include <string>

#include "quadrille/schedule/stated_topology.h"

namespace quadrille {

class ArgumentParser;

/// --algorithm: a name, or auto.
void add_algorithm_option(ArgumentParser& app, std::string& name);

/// --gap and --effort: when searches may end (Wishes).
struct SearchOptions {
  std::string gap_text = "0%";
  std::string effort_text = "1";

  [[nodiscard]] double gap() const;  ///< 0.03 for 3%
  [[nodiscard]] double effort() const;
};
void add_search_options(ArgumentParser& app, SearchOptions& options);

/// --allow-files: whether a plan that is read may name a graph file.
void add_allow_files_option(ArgumentParser& app, bool& allow);
[[nodiscard]] inline GraphFiles graph_files(bool allow) {
  return allow ? GraphFiles::kAllowed : GraphFiles::kRefused;
}

/// --bytes, the size of a message (Wishes::bytes), as it is written: parse_bytes() reads it. A message of no bytes is
/// one, too.
void add_bytes_option(ArgumentParser& app, std::string& bytes);

/// --machine, a name of `quadrille list machines`.
void add_machine_option(ArgumentParser& app, std::string& name);

/// --slices.
void add_slices_option(ArgumentParser& app, bool& slices);

}  // namespace quadrille
