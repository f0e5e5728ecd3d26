// quadrille docs: the pages of docs/ that the program writes itself.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/pages.h"
#include "quadrille/cli/pages/man_page.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/options/argument_parser.h"

namespace quadrille {
namespace docs_parts {
namespace {

constexpr std::array kPages = {Page{"algorithms", algorithms_page}, Page{"bibliography", bibliography_page},
                               Page{"claims", claims_page},         Page{"cli", cli_page},
                               Page{"rules", rules_page},           Page{"topologies", topologies_page}};

struct DocsOptions {
  std::string page{};
  std::string folder{};
};

int write_manual(const std::string& folder) {
  if (folder.empty()) throw InputError("docs man writes a page for every command: give a folder, -o FOLDER");
  const std::filesystem::path place(folder);
  std::error_code failed;
  std::filesystem::create_directories(place, failed);
  if (failed) throw InputError(fmt::format("the folder {} cannot be made: {}", folder, failed.message()));
  write_file((place / "quadrille.1").string(), man_page_of_all());
  for (const Command* command : command_catalog())
    write_file((place / fmt::format("quadrille-{}.1", command->name)).string(), man_page(*command));
  return kExitOk;
}

int print_page(const DocsOptions& options, Console& console) {
  const std::string& name = options.page;
  if (name == "man") return write_manual(options.folder);
  if (!options.folder.empty())
    throw InputError(fmt::format("docs {}: one page, which is printed; only man has a folder", name));
  std::vector<std::string_view> names;
  for (const Page& page : kPages) {
    if (page.name == name) {
      console.out << while_waiting(console, "writing the page", page.text);
      return kExitOk;
    }
    names.push_back(page.name);
  }
  names.push_back("man");
  throw InputError(fmt::format("there is no page '{}'; there are {}", name, join(names)));
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<DocsOptions>();
  app.add_option("PAGE", options->page,
                 "algorithms, bibliography, claims, cli, rules or topologies; man: the manual pages")
      ->required()
      ->offers("algorithms bibliography claims cli man rules topologies");
  app.add_option("-o,--output", options->folder, "the folder for manual pages")->type_name("FOLDER");
  return [options](Console& console) { return print_page(*options, console); };
}

}  // namespace
}  // namespace docs_parts

std::span<const Page> pages() { return docs_parts::kPages; }

namespace commands {

extern const Command docs;

const Command docs{
    .name = "docs",
    .summary = "the reference pages of docs/, written from the catalogs",
    .details =
        "Prints one of the pages of docs/ that the program writes itself, as markdown; or writes its manual pages.",
    .example = R"~($ quadrille docs rules | head -5
# Rules and bounds

The judge holds every transfer of a plan against these rules, each in its own file and each with a bad plan
that only it catches. This page is written by `quadrille docs rules`.

)~",
    .aside = true,
    .setup = docs_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
