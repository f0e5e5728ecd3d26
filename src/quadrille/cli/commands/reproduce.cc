// quadrille reproduce: the tables and figures of the papers, computed anew, beside what is printed.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "quadrille/base/crew/crew.h"
#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/json/json.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/report/pictures/gnuplot.h"
#include "quadrille/cli/report/reproduction_report.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/reproduce/exhibit.h"
#include "quadrille/reproduce/simulated.h"

namespace quadrille {

// What one process of a crew computes, for the others.
static void fields(auto& io, Column& column) { io(column.name, column.digits); }
static void fields(auto& io, Curves& curves) {
  io(curves.over, curves.columns, curves.x_label, curves.y_label, curves.log_x, curves.log_y);
}
static void fields(auto& io, Cell& cell) {
  std::optional<uint64_t> whole;
  std::optional<double> real;
  std::optional<std::string> words;
  if (const auto* there = std::get_if<uint64_t>(&cell.value)) whole = *there;
  if (const auto* there = std::get_if<double>(&cell.value)) real = *there;
  if (const auto* there = std::get_if<std::string>(&cell.value)) words = *there;
  io(whole, real, words, cell.printed, cell.misprint, cell.simulated);
  if constexpr (std::remove_reference_t<decltype(io)>::kReads) {
    if (whole) cell.value = *whole;
    if (real) cell.value = *real;
    if (words) cell.value = *words;
  }
}
static void fields(auto& io, Sheet& sheet) { io(sheet.title, sheet.columns, sheet.rows, sheet.curves); }
static void fields(auto& io, Reproduction& made) { io(made.sheets, made.notes); }

namespace reproduce_parts {
namespace {

struct ReproduceOptions {
  std::vector<std::string> what{};
  bool all = false;
  bool list = false;
  bool csv = false;
  bool json = false;
  bool simulated = false;
  std::string plot{};
  std::string size{};
  std::string ratio{};
  std::string bytes{};
  std::string ports{};
  std::string arity{};

  [[nodiscard]] std::vector<Given> given() const {
    std::vector<Given> out;
    for (const auto& [name, text] : {std::pair{"size", &size},
                                     {"ratio", &ratio},
                                     {"bytes", &bytes},
                                     {"ports", &ports},
                                     {"arity", &arity}}) {
      if (!text->empty()) out.push_back({name, parse_values(name, *text)});
    }
    return out;
  }
};

std::string parameters_of(const Exhibit& card) {
  std::vector<std::string> out;
  for (const Parameter& each : card.parameters) out.push_back(fmt::format("--{}", each.name));
  return join(out, " ");
}

void print_list(const ReproduceOptions& options, std::ostream& out) {
  if (options.json) {
    Json all = Json::array();
    for (const Exhibit* card : exhibits()) {
      Json parameters = Json::array();
      for (const Parameter& each : card->parameters) {
        Json one = Json::object();
        one.set("option", fmt::format("--{}", each.name))
            .set("meaning", each.meaning)
            .set("range", range_of(each));
        parameters.push(std::move(one));
      }
      Json one = Json::object();
      one.set("name", card->name).set("paper", card->paper).set("item", card->item).set("title", card->title);
      one.set("parameters", std::move(parameters));
      all.push(std::move(one));
    }
    out << all.text();
    return;
  }
  Table table({"name", "parameters", "what it is about"});
  for (const Exhibit* card : exhibits())
    table.row({std::string(card->name), parameters_of(*card), std::string(card->title)});
  out << table.text();
}

std::vector<const Exhibit*> wanted(const ReproduceOptions& options) {
  if (options.all) {
    if (!options.what.empty())
      throw InputError("--all: reproduces everything; leave out the names, or --all");
    return {exhibits().begin(), exhibits().end()};
  }
  if (options.what.empty())
    throw InputError(
        "name a table or a figure, such as 1999.table3; --list prints them, --all reproduces them all");
  std::vector<const Exhibit*> out;
  for (const std::string& word : options.what) {
    const std::vector<const Exhibit*> named = exhibits_named(word);
    out.insert(out.end(), named.begin(), named.end());
  }
  return out;
}

void check_plot(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (path.empty() || ending == ".svg" || ending == ".png" || ending == ".gnuplot") return;
  throw InputError(fmt::format("--plot: '{}' must end in .svg, .png or .gnuplot", path));
}

// A script for gnuplot, or what it draws.
void draw(const Exhibit& card, const Reproduction& made, const std::string& path) {
  if (!is_drawn(made))
    throw InputError(fmt::format("--plot: {} has no curves; it is printed as a table", card.name));
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".gnuplot") {
    write_file(path, reproduction_plot(card, made, "svg"));
  } else {
    draw_with_gnuplot(reproduction_plot(card, made, ending == ".png" ? "png" : "svg"), path);
  }
}

int reproduce(const ReproduceOptions& options, Console& console) {
  if (options.list) {
    print_list(options, console.out);
    return kExitOk;
  }
  if (options.csv && options.json) throw InputError("--csv and --json: one of them, please");
  const std::vector<const Exhibit*> cards = wanted(options);
  if (!options.plot.empty() && cards.size() > 1)
    throw InputError(fmt::format("--plot draws one figure; {} are named", cards.size()));
  check_plot(options.plot);
  const std::vector<Given> given = options.given();
  // Whatever is wrong is said before the first is computed.
  std::vector<Settings> settings;
  for (const Exhibit* card : cards) settings.emplace_back(card->name, card->parameters, given);
  if (options.csv) console.out << csv_header(options.simulated);
  Json all = Json::array();
  const auto make = [&](size_t i) {
    return options.simulated ? reproduce_simulated(*cards[i], settings[i]) : cards[i]->make(settings[i]);
  };
  std::vector<Reproduction> together;
  if (console.crew != nullptr) {
    Waiting waiting(console, fmt::format("reproducing {}", plural(cards.size(), "table")));
    const auto done = [&](size_t over, size_t of) { waiting.made(over, of, 0); };
    together = shared_parts<Reproduction>({.crew = console.crew, .done = done}, cards.size(), make);
  }
  for (size_t i = 0; i < cards.size(); ++i) {
    const Exhibit& card = *cards[i];
    const Reproduction made =
        console.crew != nullptr
            ? std::move(together[i])
            : while_waiting(console, fmt::format("reproducing {} ({} of {})", card.name, i + 1, cards.size()),
                            [&] { return make(i); });
    if (!options.plot.empty()) draw(card, made, options.plot);
    if (options.json) {
      all.push(reproduction_json(card, made));
    } else if (options.csv) {
      console.out << reproduction_csv(card, made, options.simulated);
    } else {
      console.out << (i == 0 ? "" : "\n\n") << reproduction_text(card, made);
      if (!options.plot.empty()) console.out << fmt::format("written    {}\n", options.plot);
    }
    console.out.flush();
  }
  if (options.json) console.out << all.text();
  return kExitOk;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<ReproduceOptions>();
  app.add_option("WHAT", options->what, "1999.table3, 1999.fig9, ..., or 1999 for all of a paper");
  app.add_flag("--all", options->all, "every table and figure of the five papers");
  app.add_flag("--list", options->list, "what there is, and which of the options below it takes");
  app.add_flag("--csv", options->csv,
               "a line for every value: exhibit, sheet, row, column, value, printed, agrees");
  app.add_flag("--json", options->json, "the same as JSON");
  app.add_flag("--simulated", options->simulated,
               "simulate the plans cycle by cycle; a column beside the formula, and why they part");
  app.add_option("--plot", options->plot,
                 "draw the curves with gnuplot: FILE.svg or FILE.png, or write the script: FILE.gnuplot")
      ->type_name("FILE");
  const auto parameter = [&app](const char* name, std::string& target, const char* what) {
    app.add_option(name, target, what)->type_name("LIST");
  };
  parameter("--size", options->size, "other sizes than the paper's: 5 or 4,5,6 or 4..9");
  parameter("--ratio", options->ratio, "other ratios of a start-up to a block, or to a byte");
  parameter("--bytes", options->bytes, "other sizes of a block");
  parameter("--arity", options->arity, "other numbers of children in a fat tree");
  parameter("--ports", options->ports, "other ports: one, all, or numbers");
  return [options](Console& console) { return reproduce(*options, console); };
}

}  // namespace
}  // namespace reproduce_parts

namespace commands {

extern const Command reproduce;

const Command reproduce{
    .name = "reproduce",
    .summary = "the tables and figures of the papers, computed anew",
    .details =
        "Tables and figures of the five papers, at the papers' parameters or at any in the range of their formulas: "
        "plans are made and judged, formulas of others evaluated, and each printed value stands beside. Where they "
        "differ the misprint is named.",
    .example = R"~($ quadrille reproduce 1999.table5
1999.table5 Table 5: transmission times of others over those of T4 and C64 in the limit
computed   leading coefficients of the closed forms, and their ratios at finite d

Transmission times over those of T4 and C64
compared   limit  printed  d = 10  d = 12  d = 14
T-2D1/T4   3.323     3.32   3.466   3.383   3.346
T-2D2/T4   2.215     2.22   2.209   2.214   2.215
DP-2D/T4   1.477     1.48   1.478   1.477   1.477
T-3D1/C64  7.385     7.38   7.430   7.424   7.403
T-3D2/C64  2.215     2.22   2.199   2.213   2.215
DP-3D/C64  1.477     1.48   1.462   1.473   1.476

agrees     all 6 printed values
claim      holds: 216/65, 144/65, 96/65 and 480/65, 144/65, 96/65, by closed forms. T4, C64, DP-2D,
           DP-3D and T-2D2 are schedules of exactly these blocks, T-3D2 of fewer after the same
           first term. T-2D1 and T-3D1 are taken over; hubs of two classes take one start-up fewer,
           in space two, and fewer blocks.
)~",
    .setup = reproduce_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
