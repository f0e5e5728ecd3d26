// Any bytes either are an InputError or a plan that JSON holds, too.
#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/schedule/msccl/msccl_steps.h"
#include "quadrille/schedule/plan_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quadrille;
  constexpr size_t kMaxBytes = 8192;
  if (size > kMaxBytes) return -1;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::optional<PlanFile> file;
  try {
    file = msccl::plan_of(msccl::read_file_of(text, "fuzz.xml"), text, "fuzz.xml");
  } catch (const InputError& error) {
    QUADRILLE_CHECK(std::string_view(error.what()).starts_with("fuzz.xml:"), error.what());
    return 0;
  }
  const std::string json = write_plan_json(*file);
  QUADRILLE_CHECK(read_plan_json(json, "written.json") == *file, json);
  return 0;
}
