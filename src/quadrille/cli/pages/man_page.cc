// Manual pages, in the roff of man(7).
#include "quadrille/cli/pages/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "quadrille/options/argument_parser.h"

namespace quadrille {
namespace {

// A dash is a minus that can be copied, a backslash is none of roff's, and no line begins like a request.
std::string escaped(std::string_view text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    begins = c == '\n';
  }
  return out;
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

std::string head(std::string_view name, std::string_view summary) {
  return fmt::format(".TH {} 1 \"\" \"quadrille\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", upper(name),
                     escaped(name), escaped(summary));
}

constexpr std::string_view kExitStatus =
    ".SH EXIT STATUS\n0 if all is well, 1 for a plan that the judge rejects or that states what is false, 2 for bad "
    "input (nothing was\nwritten), 3 for a bug.\n";

constexpr std::string_view kCommonOptions =
    ".TP\n.B \\-\\-quiet\nprint nothing but errors, and what a program reads\n"
    ".TP\n.BI \\-\\-format\\  FORM\ntable; json, csv or names where the command has these as options\n";

// "\fB\-o\fR, \fB\-\-output\fR \fIFILE\fR"
std::string option_line(const Argument& argument) {
  std::string out;
  for (const std::string& name : argument.all_names()) {
    if (!out.empty()) out += ", ";
    out += argument.is_option() ? fmt::format("\\fB{}\\fR", escaped(name))
                                : fmt::format("\\fI{}\\fR", escaped(name));
  }
  if (argument.is_option() && !argument.is_flag())
    out += fmt::format(" \\fI{}\\fR", escaped(argument.value_name()));
  return out;
}

}  // namespace

std::string man_page(const Command& command) {
  ArgumentParser app(fmt::format("quadrille {}", command.name));
  command.setup(app);
  const std::string name = fmt::format("quadrille-{}", command.name);
  std::string out = head(name, command.summary);
  out += fmt::format(".SH SYNOPSIS\n.B {}\n.SH DESCRIPTION\n{}\n.SH OPTIONS\n", escaped(app.usage()),
                     escaped(command.details));
  // Neighbours that share a line of the help share its words here.
  const auto& all = app.arguments();
  for (auto at = all.begin(); at != all.end();) {
    const auto first = at++;
    std::string names = option_line(*first);
    for (; at != all.end() && !first->group().empty() && at->group() == first->group(); ++at)
      names += ", " + option_line(*at);
    out += fmt::format(".TP\n{}\n{}\n", names, escaped(first->description()));
  }
  out += kCommonOptions;
  if (!command.example.empty())
    out += fmt::format(".SH EXAMPLE\n.nf\n{}{}.fi\n", escaped(command.example),
                       command.example.ends_with('\n') ? "" : "\n");
  out += kExitStatus;
  return out + ".SH SEE ALSO\n.BR quadrille (1)\n";
}

std::string man_page_of_all() {
  std::string out = head("quadrille", "schedules for collective communication, made, judged and run");
  out +=
      ".SH SYNOPSIS\n.B quadrille\n.I COMMAND\n[arguments]\n.SH DESCRIPTION\n"
      "Given a network, a collective such as broadcast or alltoall, and what the machine may do in a step, quadrille\n"
      "makes an explicit schedule, has it proved by a judge that shares no code with its makers, holds it against lower\n"
      "bounds, and costs, simulates, exports and runs it.\n.SH COMMANDS\n";
  for (const Command* command : command_catalog()) {
    out +=
        fmt::format(".TP\n.BR quadrille\\-{} (1)\n{}\n", escaped(command->name), escaped(command->summary));
  }
  out += ".SH OPTIONS\nof every command:\n";
  out += kCommonOptions;
  out +=
      ".TP\n.BR \\-h ,\\  \\-\\-help\nhow it is used, with an example\n.TP\n.B \\-\\-version\nwhich version this is\n";
  out += kExitStatus;
  out +=
      ".SH ENVIRONMENT\n.TP\n.B COLUMNS\nhow wide text is printed: 40 to 1,000\n.TP\n.B NO_COLOR\nif it is set, no colours, "
      "on terminals neither\n.SH EXAMPLE\n.nf\nquadrille run alltoall \"torus(4,4)\" \\-\\-bytes 64KiB\n.fi\n";
  return out;
}

}  // namespace quadrille
