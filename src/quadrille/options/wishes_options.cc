#include "quadrille/options/wishes_options.h"

#include <fmt/format.h>

#include "quadrille/base/numbers/units.h"
#include "quadrille/compile/compile.h"
#include "quadrille/model/machine.h"
#include "quadrille/options/argument_parser.h"

namespace quadrille {

void add_algorithm_option(ArgumentParser& app, std::string& name) {
  app.add_option("--algorithm", name, "auto (default): fewest steps, or least time; NAME, or NAME:MEMBER")
      ->type_name("NAME");
}

void add_allow_files_option(ArgumentParser& app, bool& allow) {
  app.add_flag("--allow-files", allow, "let the plan name a graph file, file(\"net.gml\"), to be opened");
}

void add_bytes_option(ArgumentParser& app, std::string& bytes) {
  app.add_option("--bytes", bytes,
                 fmt::format("size of a block, or of the vector, such as 64K or 1MiB (default {})",
                             kDefaultMessageBytes))
      ->type_name("B")
      ->checked_by(
          [](std::string_view value, std::string_view name) { static_cast<void>(parse_bytes(value, name)); });
}

void add_machine_option(ArgumentParser& app, std::string& name) {
  app.add_option("--machine", name, "constants of a machine: `quadrille list machines`")
      ->type_name("NAME")
      ->checked_by([](std::string_view value, std::string_view) { static_cast<void>(find_machine(value)); });
}

void add_slices_option(ArgumentParser& app, bool& slices) {
  app.add_flag("--slices", slices, "lay blocks out so that transfers are slices; count what is rearranged");
}

}  // namespace quadrille
