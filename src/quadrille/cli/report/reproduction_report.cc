#include "quadrille/cli/report/reproduction_report.h"
#include "quadrille/cli/report/csv_word.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/cli/report/pictures/gnuplot.h"
#include "quadrille/cli/report/table.h"

namespace quadrille {
namespace {

// "32", "1024.28".
std::string two_digits(double value) {
  const double whole = std::round(value);
  return std::fabs(value - whole) < 0.005 ? fmt::format("{:.0f}", whole) : fmt::format("{:.2f}", value);
}

std::string table_of(const Sheet& sheet) {
  std::vector<std::string> header;
  for (size_t c = 0; c < sheet.columns.size(); ++c) {
    header.push_back(sheet.columns[c].name);
    if (sheet.is_printed(c)) header.emplace_back("printed");
    if (sheet.is_simulated(c)) header.emplace_back("simulated");
  }
  Table table(std::move(header));
  for (const std::vector<Cell>& row : sheet.rows) {
    std::vector<std::string> cells;
    for (size_t c = 0; c < sheet.columns.size(); ++c) {
      const Cell cell = c < row.size() ? row[c] : Cell();
      cells.push_back(cell.text(sheet.columns[c].digits));
      if (sheet.is_printed(c)) cells.push_back(cell.agrees() ? cell.printed : cell.printed + " (!)");
      if (sheet.is_simulated(c)) cells.push_back(cell.simulated ? two_digits(*cell.simulated) : "");
    }
    table.row(std::move(cells));
  }
  return table.text();
}

// Each once, in order.
std::vector<std::string_view> misprints_of(const Reproduction& made) {
  std::vector<std::string_view> out;
  for (const Sheet& sheet : made.sheets) {
    for (const std::vector<Cell>& row : sheet.rows) {
      for (const Cell& cell : row) {
        if (!cell.misprint.empty() && !cell.agrees() &&
            std::find(out.begin(), out.end(), cell.misprint) == out.end())
          out.push_back(cell.misprint);
      }
    }
  }
  return out;
}

std::string agreement_text(const Reproduction& made) {
  const Agreement found = agreement(made);
  if (found.printed == 0) return "";
  if (found.agreeing == found.printed)
    return found.printed == 1 ? "the one printed value" : fmt::format("all {} printed values", found.printed);
  return fmt::format("{} of {}; the others are marked (!)", with_thousands(found.agreeing),
                     plural(found.printed, "printed value"));
}

std::string line(std::string_view label, std::string_view text) {
  return fmt::format("{:<10} {}\n", label, wrap(text, 11));
}

// All digits that matter: files are read by programs.
std::string exact(const Cell& cell) {
  const auto* real = std::get_if<double>(&cell.value);
  return real != nullptr ? fmt::format("{:.12g}", *real) : cell.text(0);
}

Json json_value(const Cell& cell) {
  if (const auto* whole = std::get_if<uint64_t>(&cell.value)) return *whole;
  if (const auto* real = std::get_if<double>(&cell.value)) return *real;
  if (const auto* words = std::get_if<std::string>(&cell.value)) return *words;
  return {};
}

// The sheet's numbers, a question mark where there is none.
std::string data_of(const Sheet& sheet, size_t number) {
  std::string out = fmt::format("$sheet{} << END\n", number);
  for (const std::vector<Cell>& row : sheet.rows) {
    std::string words;
    for (size_t c = 0; c < sheet.columns.size(); ++c) {
      const std::optional<double> value = c < row.size() ? row[c].number() : std::nullopt;
      words += value ? fmt::format(" {:.9g}", *value) : " ?";
    }
    out += words.substr(1) + "\n";
  }
  return out + "END\n";
}

// Tics where there are values: on a logarithmic axis of few values gnuplot writes next to none.
std::string tics_of(const Sheet& sheet) {
  constexpr size_t kMostTics = 9;
  const size_t every = (sheet.rows.size() + kMostTics - 1) / kMostTics;
  std::string out;
  for (size_t r = 0; r < sheet.rows.size(); r += std::max<size_t>(every, 1)) {
    const std::optional<double> value = sheet.rows[r][sheet.curves->over].number();
    if (value) out += fmt::format("{}{:.9g}", out.empty() ? "" : ", ", *value);
  }
  return out;
}

std::string drawing_of(const Sheet& sheet, size_t number) {
  // Readable for the colour-blind, and on paper: every curve has a mark of its own.
  constexpr std::array<std::string_view, 9> kColours = {"#1f4e9c", "#c8511b", "#2a7f3f", "#7a3d99", "#b8860b",
                                                        "#00838f", "#a0284e", "#5d6d1e", "#444444"};
  const Curves& curves = *sheet.curves;
  std::string out =
      fmt::format("set title {}\nset xlabel {} offset 0,0.4\nset ylabel {}\n", gnuplot_string(sheet.title),
                  gnuplot_string(curves.x_label), gnuplot_string(curves.y_label));
  out += curves.log_x ? "set logscale x 2\n" : "unset logscale x\n";
  out += curves.log_y ? "set logscale y 10\n" : "unset logscale y\n";
  out += fmt::format("set xtics ({})\nplot ", tics_of(sheet));
  for (size_t i = 0; i < curves.columns.size(); ++i) {
    const size_t column = curves.columns[i];
    out += fmt::format("{}$sheet{} using {}:{} with linespoints pt {} ps 0.7 lw 1.4 lc rgb '{}' title {}",
                       i == 0 ? "" : ", ", number, curves.over + 1, column + 1, i + 4,
                       kColours[i % kColours.size()], gnuplot_string(sheet.columns[column].name));
  }
  return out + "\n";
}

}  // namespace

std::string reproduction_text(const Exhibit& card, const Reproduction& made) {
  std::string out = line(card.name, fmt::format("{}: {}", card.item, card.title));
  out += line("computed", card.method);
  for (const Sheet& sheet : made.sheets) {
    out += "\n";
    if (!sheet.title.empty()) out += sheet.title + "\n";
    out += table_of(sheet);
  }
  out += "\n";
  if (const std::string agrees = agreement_text(made); !agrees.empty()) out += line("agrees", agrees);
  for (const std::string_view misprint : misprints_of(made)) out += line("(!)", misprint);
  for (const std::string& note : made.notes) out += line("note", note);
  if (const std::string verdict = verdict_on(card); !verdict.empty()) out += line("claim", verdict);
  return out;
}

std::string csv_header(bool simulated) {
  return fmt::format("exhibit,sheet,row,column,value,printed,agrees{}\n", simulated ? ",simulated" : "");
}

std::string reproduction_csv(const Exhibit& card, const Reproduction& made, bool simulated) {
  std::string out;
  for (const Sheet& sheet : made.sheets) {
    for (size_t r = 0; r < sheet.rows.size(); ++r) {
      for (size_t c = 0; c < sheet.rows[r].size(); ++c) {
        const Cell& cell = sheet.rows[r][c];
        out += fmt::format("{},{},{},{},{},{},{}", card.name, csv_word(sheet.title), r + 1,
                           csv_word(sheet.columns[c].name), csv_word(exact(cell)), csv_word(cell.printed),
                           cell.printed.empty() ? ""
                           : cell.agrees()      ? "yes"
                                                : "no");
        if (simulated) out += cell.simulated ? fmt::format(",{:.12g}", *cell.simulated) : ",";
        out += '\n';
      }
    }
  }
  return out;
}

Json reproduction_json(const Exhibit& card, const Reproduction& made) {
  Json out = Json::object();
  out.set("name", card.name).set("paper", card.paper).set("item", card.item).set("title", card.title);
  out.set("computed", card.method);
  Json sheets = Json::array();
  for (const Sheet& sheet : made.sheets) {
    Json rows = Json::array();
    for (const std::vector<Cell>& row : sheet.rows) {
      Json one = Json::object();
      for (size_t c = 0; c < row.size(); ++c) {
        if (row[c].printed.empty() && !row[c].simulated) {
          one.set(sheet.columns[c].name, json_value(row[c]));
          continue;
        }
        Json both = Json::object();
        both.set("value", json_value(row[c]));
        if (!row[c].printed.empty()) both.set("printed", row[c].printed).set("agrees", row[c].agrees());
        if (row[c].simulated) both.set("simulated", *row[c].simulated);
        if (!row[c].misprint.empty()) both.set("misprint", row[c].misprint);
        one.set(sheet.columns[c].name, std::move(both));
      }
      rows.push(std::move(one));
    }
    Json one = Json::object();
    one.set("title", sheet.title).set("rows", std::move(rows));
    sheets.push(std::move(one));
  }
  out.set("sheets", std::move(sheets));
  const Agreement found = agreement(made);
  out.set("printed_values", found.printed).set("agreeing", found.agreeing);
  Json notes = Json::array();
  for (const std::string& note : made.notes) notes.push(note);
  out.set("notes", std::move(notes)).set("claim", verdict_on(card));
  return out;
}

bool is_drawn(const Reproduction& made) {
  return std::any_of(made.sheets.begin(), made.sheets.end(),
                     [](const Sheet& s) { return s.curves.has_value(); });
}

std::string reproduction_plot(const Exhibit& card, const Reproduction& made, const std::string& format) {
  std::vector<const Sheet*> drawn;
  for (const Sheet& sheet : made.sheets) {
    if (sheet.curves) drawn.push_back(&sheet);
  }
  const size_t across = drawn.size() > 1 ? 2 : 1;
  const size_t down = (drawn.size() + across - 1) / across;
  std::string out = fmt::format("set terminal {} size {},{} noenhanced background 'white' font ',11'\n",
                                format == "png" ? "pngcairo" : "svg", 640 * across, 440 * down + 40);
  for (size_t i = 0; i < drawn.size(); ++i) out += data_of(*drawn[i], i);
  out += "set grid lt 1 lc rgb '#dddddd'\nset key outside below spacing 1.1\nset datafile missing '?'\n";
  out += "set offsets graph 0.03, graph 0.03, graph 0.06, graph 0.06\n";
  out += fmt::format("set multiplot layout {},{} title {}\n", down, across,
                     gnuplot_string(fmt::format("{}: {}", card.name, card.title)));
  for (size_t i = 0; i < drawn.size(); ++i) out += drawing_of(*drawn[i], i);
  return out + "unset multiplot\n";
}

}  // namespace quadrille
