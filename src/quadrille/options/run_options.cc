#include "quadrille/options/run_options.h"

#include "quadrille/base/whole_number.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/wishes_options.h"

namespace quadrille {

Wishes RunOptions::wishes() const {
  Wishes out = source.wishes();
  out.block_bytes = bytes;
  out.arrays = slices;
  out.synchronisation = false;  // a run keeps its steps apart by itself
  return out;
}

void add_run_options(ArgumentParser& app, RunOptions& options) {
  add_plan_source(app, options.source);
  add_slices_option(app, options.slices);
  app.add_option("--bytes", options.bytes, "size of a block (default 1024)")
      ->check(whole_number_error)
      ->type_name("B");
  app.add_option("--iterations", options.iterations, "how often to run it (default 1)")
      ->check(positive_number_error)
      ->type_name("K");
  app.add_flag("--json", options.json, "print all figures as JSON");
}

}  // namespace quadrille
