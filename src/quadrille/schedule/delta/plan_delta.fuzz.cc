// Any bytes either are an InputError or a delta that is written and read again as the same one; and what it makes of its plan is
// a plan, or an InputError, too.
#include "quadrille/schedule/delta/plan_delta.h"

#include <fmt/format.h>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quadrille;
  static const PlanFile base = read_plan_text(
      "quadrille-plan 1\ntopology ring(4)\ncollective broadcast root=0 pieces=2\nstep\n0>1: 0.0\n0>3: 0.1\nstep\n0>1: 0.1\n"
      "1>2: 0.0\n0>3: 0.0\nstep\n3>2: 0.1\n",
      "base.plan");
  // No fuzzer guesses a digest: it stands before what it makes.
  const std::string text =
      fmt::format("quadrille-delta 1\nbase {:016x}\n{}", digest_of(base.problem, base.plan),
                  std::string_view(reinterpret_cast<const char*>(data), size));
  std::optional<PlanDelta> delta;
  try {
    delta = read_plan_delta(text, "fuzz.delta", base);
  } catch (const InputError&) {
    return 0;
  }
  // From here on a mistake is ours, and only what the delta asks for may be refused.
  const std::string written = write_plan_delta(base.problem, *delta);
  QUADRILLE_CHECK(write_plan_delta(base.problem, read_plan_delta(written, "written.delta", base)) == written,
                  written);
  try {
    const PlanFile mended = with_delta(base, *delta);
    QUADRILLE_CHECK(read_plan_text(write_plan_text(mended), "mended.plan").plan == mended.plan, written);
  } catch (const InputError&) {
    return 0;
  }
  return 0;
}
