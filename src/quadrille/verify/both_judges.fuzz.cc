// Any plan that can be read, in either form, is judged alike by the fast judge, alone and as several, and by
// the reference judge: the same findings at the same places, and the same figures of what passes.
#include <algorithm>
#include <optional>
#include <string>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan_forms.fuzz.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/schedule/plan_text.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/verify.h"

namespace {

using namespace quadrille;

// The reference judge takes its time: problems are small here, so that thousands fit into a second.
bool is_small(const PlanFile& file) {
  const uint64_t nodes = file.problem.topology().num_nodes();
  const uint64_t cells = nodes * file.problem.collective().num_blocks();
  return nodes <= 24 && cells <= 1000 && cells * file.plan.num_steps() <= 20'000 &&
         file.plan.num_transfers() * file.plan.num_steps() <= 5'000;
}

std::string words_of(const Verdict& verdict) {
  std::string out;
  for (const Finding& finding : verdict.findings) out += to_text(finding) + "\n";
  return out;
}

bool same(const Verdict& a, const Verdict& b) {
  const auto same_place = [](const Finding& f, const Finding& g) {
    return f.rule == g.rule && f.step == g.step && f.transfer == g.transfer;
  };
  return a.total_findings == b.total_findings &&
         std::equal(a.findings.begin(), a.findings.end(), b.findings.begin(), b.findings.end(), same_place) &&
         (!a.passed() || a.figures == b.figures);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (is_slow_plan(text)) return -1;
  std::optional<PlanFile> file;
  try {
    file = read_plan(text, "fuzz");
  } catch (const InputError&) {
    return 0;
  }
  if (!is_small(*file)) return -1;
  const Verdict slow = reference_verify(file->problem, file->plan);
  for (const unsigned threads : {1U, 3U}) {
    Judge judge(file->problem, {.max_findings = 100'000, .threads = threads, .queues = threads == 3});
    file->plan.replay(judge);
    const Verdict fast = judge.finish();
    QUADRILLE_CHECK(same(fast, slow), write_plan_text(*file) + "the judge finds\n" + words_of(fast) +
                                          "the reference judge finds\n" + words_of(slow));
  }
  return 0;
}
