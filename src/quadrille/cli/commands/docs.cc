// quadrille docs: the pages of docs/ that the program writes itself.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/pages.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/options/argument_parser.h"

namespace quadrille {
namespace docs_parts {
namespace {

constexpr std::array kPages = {Page{"algorithms", algorithms_page}, Page{"claims", claims_page},
                               Page{"cli", cli_page}, Page{"rules", rules_page},
                               Page{"topologies", topologies_page}};

int print_page(const std::string& name, Console& console) {
  std::vector<std::string_view> names;
  for (const Page& page : kPages) {
    if (page.name == name) {
      console.out << while_waiting(console, "writing the page", page.text);
      return kExitOk;
    }
    names.push_back(page.name);
  }
  throw InputError(fmt::format("there is no page '{}'; there are {}", name, join(names)));
}

CommandAction setup(ArgumentParser& app) {
  const auto name = std::make_shared<std::string>();
  app.add_option("PAGE", *name, "algorithms, claims, cli, rules or topologies")->required();
  return [name](Console& console) { return print_page(*name, console); };
}

}  // namespace
}  // namespace docs_parts

std::span<const Page> pages() { return docs_parts::kPages; }

namespace commands {

extern const Command docs;

const Command docs{
    .name = "docs",
    .summary = "the reference pages of docs/, written from the catalogs",
    .details = "Prints one of the pages of docs/ that the program writes itself, as markdown.",
    .example = R"~($ quadrille docs rules | head -5
# Rules and bounds

The judge holds every transfer of a plan against these rules, each in its own file and each with a bad plan
that only it catches. This page is written by `quadrille docs rules`.

)~",
    .setup = docs_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
