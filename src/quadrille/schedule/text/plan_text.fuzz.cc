// Any bytes either are an InputError or a plan that both forms write and read again as the same plan.
#include "quadrille/schedule/plan_text.h"

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan_forms.fuzz.h"
#include "quadrille/schedule/plan_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quadrille;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (is_slow_plan(text)) return -1;
  std::optional<PlanFile> file;
  try {
    file = read_plan_text(text, "fuzz.plan");
  } catch (const InputError&) {
    return 0;
  }
  // From here on a mistake is ours, and nothing is caught.
  const std::string plain = write_plan_text(*file);
  QUADRILLE_CHECK(read_plan_text(plain, "written.plan") == *file, plain);
  const std::string json = write_plan_json(*file);
  QUADRILLE_CHECK(read_plan_json(json, "written.json") == *file, json);
  return 0;
}
