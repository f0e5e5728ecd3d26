// A stranger's plan is judged: what is wrong with it, where, by which rule; and whether what it states is
// true.
#include <quadrille/quadrille.h>

#include <iostream>
#include <string>

using namespace quadrille;

namespace {

// Everybody's block to everybody, on a ring of three. The second plan has the step that the first one lacks.
constexpr const char* kHead =
    "quadrille-plan 1\n"
    "topology ring(3)\n"
    "collective alltoall\n"
    "model send=1 receive=1\n"
    "algorithm a_friends\n"
    "claim steps=1\n"
    "step\n0>1: 0-1\n1>2: 1-2\n2>0: 2-0\n";
constexpr const char* kSecondStep = "step\n0>2: 0-2\n1>0: 1-0\n2>1: 2-1\n";

void judge(const std::string& text) {
  const Compiled judged = judge_plan(read_plan(text, "friend.plan"), {.max_findings = 3});
  std::cout << judged.head.algorithm << " on " << judged.head.problem.topology().name() << ": ";
  if (!judged.verdict.passed()) {
    std::cout << "rejected\n";
    for (const Finding& finding : judged.verdict.findings) std::cout << "  " << to_text(finding) << "\n";
    std::cout << "  " << judged.verdict.total_findings << " findings in all\n";
    return;
  }
  std::cout << "passed with " << judged.verdict.figures.steps << " steps, at least "
            << judged.least_steps().value.ceil() << "\n";
  for (const std::string& falsehood : judged.stated.falsehoods) std::cout << "  but " << falsehood << "\n";
}

}  // namespace

int main() {
  judge(kHead);
  judge(std::string(kHead) + kSecondStep);
}
