#include "quadrille/local_programs/catalog.h"

#include <array>

#include "quadrille/base/check.h"

namespace quadrille {

namespace local_programs {
#define QUADRILLE_LOCAL_PROGRAM(name) extern const LocalProgram name;
#include "quadrille/local_programs/catalog.inc"
#undef QUADRILLE_LOCAL_PROGRAM
}  // namespace local_programs

namespace {

constexpr std::array kCards = {
#define QUADRILLE_LOCAL_PROGRAM(name) &local_programs::name,
#include "quadrille/local_programs/catalog.inc"
#undef QUADRILLE_LOCAL_PROGRAM
};

}  // namespace

const Catalog<LocalProgram>& local_program_catalog() {
  static constexpr Catalog<LocalProgram> kCatalog(kCards);
  return kCatalog;
}

Applicability serves(const LocalProgram& program, const Problem& problem) {
  const Algorithm* algorithm = algorithm_catalog().find(program.name);
  QUADRILLE_CHECK(algorithm != nullptr, std::string(program.name));
  if (Applicability fits = algorithm->applies(problem); !fits.applies) return fits;
  if (program.refuses == nullptr) return Applicability::yes();
  std::string why = program.refuses(problem);
  return why.empty() ? Applicability::yes() : Applicability::no(std::move(why));
}

}  // namespace quadrille
