#include "quadrille/search/solve.h"

#include <fmt/format.h>
#include <stdio.h>  // open_memstream is POSIX's

#include <cadical.hpp>
#include <limits>
#include <memory>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// A stream that CaDiCaL writes its proof to and that ends up in a string.
class ProofStream {
 public:
  ProofStream() : stream_(open_memstream(&data_, &size_)) {
    QUADRILLE_CHECK(stream_ != nullptr, "no memory for a proof");
  }
  ProofStream(const ProofStream&) = delete;
  ProofStream& operator=(const ProofStream&) = delete;
  ~ProofStream() {
    fclose(stream_);
    std::free(data_);
  }

  [[nodiscard]] FILE* stream() { return stream_; }
  [[nodiscard]] std::string text() {
    fflush(stream_);
    return {data_, size_};
  }

 private:
  char* data_ = nullptr;
  size_t size_ = 0;
  FILE* stream_;
};

void set(CaDiCaL::Solver& solver, const char* option, int value) {
  QUADRILLE_CHECK(solver.set(option, value), fmt::format("CaDiCaL refuses {}={}", option, value));
}

void configure(CaDiCaL::Solver& solver, const SearchSettings& settings) {
  const bool is_steady = settings.focus == SearchFocus::kSteady;
  const char* const focus = is_steady || settings.focus == SearchFocus::kSolutions ? "sat"
                            : settings.focus == SearchFocus::kProofs               ? "unsat"
                                                                                   : "default";
  QUADRILLE_CHECK(solver.configure(focus), fmt::format("CaDiCaL has no configuration {}", focus));
  if (is_steady) set(solver, "rephase", 0);
  set(solver, "quiet", 1);
  set(solver, "binary", 1);
  set(solver, "seed", static_cast<int>(settings.seed & 0x7fffffffU));
}

SearchOutcome outcome_of(int status) {
  constexpr int kSatisfied = 10;  // the numbers of the SAT competitions
  constexpr int kRefuted = 20;
  return status == kSatisfied ? SearchOutcome::kSatisfiable
         : status == kRefuted ? SearchOutcome::kUnsatisfiable
                              : SearchOutcome::kUndecided;
}

}  // namespace

SearchAnswer solve(const Formula& formula, const SearchSettings& settings) {
  QUADRILLE_CHECK(settings.conflicts <= static_cast<uint32_t>(std::numeric_limits<int>::max()),
                  fmt::format("a limit of {} conflicts", settings.conflicts));
  std::unique_ptr<ProofStream> proof;
  SearchAnswer answer;
  {
    CaDiCaL::Solver solver;
    configure(solver, settings);
    if (settings.want_proof) {
      proof = std::make_unique<ProofStream>();
      QUADRILLE_CHECK(solver.trace_proof(proof->stream(), "proof"), "CaDiCaL writes no proof");
    }
    if (formula.num_variables() > 0) solver.reserve(formula.num_variables());
    for (size_t i = 0; i < formula.num_clauses(); ++i) {
      for (const int literal : formula.clause(i)) solver.add(literal);
      solver.add(0);
    }
    solver.limit("conflicts", static_cast<int>(settings.conflicts));
    answer.outcome = outcome_of(solver.solve());
    if (answer.satisfiable()) {
      answer.values.resize(static_cast<size_t>(formula.num_variables()) + 1);
      for (int v = 1; v <= formula.num_variables(); ++v)
        answer.values[static_cast<size_t>(v)] = solver.val(v) > 0;
    }
    if (proof != nullptr) solver.close_proof_trace();
  }
  if (proof != nullptr && answer.unsatisfiable()) answer.proof = proof->text();
  return answer;
}

}  // namespace quadrille
