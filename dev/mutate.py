#!/usr/bin/env python3
"""Mutation score: would the tests see it if a line of the source were wrong?

    dev/mutate.py [--build build/quick] [--every N [--first M]] [--jobs N] [--report FILE] verify|bounds [FILE.cc...]

Changes one place of one source file at a time (a comparison, an operator, a constant, a condition, a statement left
out), compiles that file, links it with the tests of its group, and runs them until one fails. A mutant that compiles
and passes them all has survived: either a test is missing, or the change changes nothing, which docs/mutation_score.md
says of each. With --every N only each N-th place of a file is changed.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src/quadrille"

# What is mutated, and the tests that have to see it, quick ones first.
GROUPS = {
    "verify": {
        "sources": ["verify/*.cc", "verify/rules/*.cc", "verify/holdings/*.cc"],
        "tests": ["verify/judge", "verify/verify", "verify/holdings/combine_holdings", "verify/holdings/memory_needed",
                  "verify/rules/hop_distance", "verify/rules/path_exists", "verify/bad_plans", "verify/queue_meter",
                  "verify/random_plans", "verify/mutants", "verify/differential"],
        "filters": ["-*Slow*:*Differential*", "Parts/Differential.*/0:Parts/Differential.*/1"],
    },
    "bounds": {
        "sources": ["bounds/*.cc", "bounds/*/*.cc"],
        "tests": ["bounds/bound", "bounds/fat_trees/fat_trees", "bounds/dissemination", "bounds/irregular", "bounds/refuted_broadcast", "bounds/optimum",
                  "bounds/exhaustive_optimum", "verify/random_plans", "verify/mutants"],
        "filters": ["-*Slow*:OptimumTest*", "OptimumTest.OfUpTo*"],
    },
}

# Operators that clang-format sets between blanks, so that template brackets and references are not meant.
SWAPS = [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "),
         (" && ", " || "), (" || ", " && "), (" + ", " - "), (" - ", " + "), (" * ", " + "), (" / ", " * "),
         (" % ", " / "), (" & ", " | "), (" | ", " & "), (" << ", " >> "), (" >> ", " << "), (" += ", " -= "),
         (" -= ", " += "), (" |= ", " &= "), ("++", "--"), ("--", "++"), ("std::min", "std::max"),
         ("std::max", "std::min"), ("true", "false"), ("false", "true"), (".front()", ".back()"), (".back()", ".front()")]
STATEMENT = re.compile(r"^\s*(?!return\b|using\b|const\b|auto\b|static\b|struct\b|class\b)[\w\[\]().:>*&+-]+"
                       r"(\(.*\)| [+|&-]?= .*|\+\+)?;\s*$")


def code_only(line):
    """The line with strings and comments blanked out."""
    line = re.sub(r'"(\\.|[^"\\])*"', lambda m: '"' + "_" * (len(m.group()) - 2) + '"', line)
    comment = line.find("//")
    return line if comment < 0 else line[:comment] + " " * (len(line) - comment)


def closing_bracket(code, at):
    """Where the bracket that opens at `at` is closed, if it is on this line."""
    depth = 0
    for end in range(at, len(code)):
        depth += (code[end] == "(") - (code[end] == ")")
        if depth == 0:
            return end
    return None


def mutants_of(text):
    """Pairs of line number and mutated line, in order."""
    in_card = False
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"^const (Rule|Bound)Card ", line):
            in_card = True
        code = code_only(line)
        if not (in_card or line.startswith("#") or not code.strip()):
            for old, new in SWAPS:
                for at in re.finditer(re.escape(old), code):
                    if old[0].isalpha() and re.match(r"\w", code[at.end():at.end() + 1]):
                        continue
                    yield number, line[:at.start()] + new + line[at.end():]
            for at in re.finditer(r"(?<![\w.'])(\d+)(?=[Uu]?\b)(?!['.\w]*')", code):
                yield number, line[:at.start()] + str(int(at.group()) + 1) + line[at.end():]
            for at in re.finditer(r"(?<![\w)])!(?=[\w(])", code):
                yield number, line[:at.start()] + line[at.end():]
            for at in re.finditer(r"\b(?:if|while) \((?!const |auto )", code):
                end = closing_bracket(code, at.end() - 1)
                if end:
                    yield number, line[:at.end()] + "!(" + line[at.end():end] + ")" + line[end:]
            if STATEMENT.match(code):
                yield number, re.match(r"\s*", line).group() + "/* nothing */;"
        if in_card and line.startswith("};"):
            in_card = False


class Bench:
    """Compiles, links and runs mutants of one group."""

    def __init__(self, build, group):
        self.build, self.group = build, GROUPS[group]
        objects = [f"CMakeFiles/quadrille_tests.dir/src/quadrille/{name}.test.cc.o" for name in self.group["tests"]]
        subprocess.run(["ninja", "-C", build, "libquadrille.a", *objects], check=True, stdout=subprocess.DEVNULL)
        commands = subprocess.run(["ninja", "-C", build, "-t", "commands", "quadrille_tests"], check=True,
                                  capture_output=True, text=True).stdout.strip().split("\n")
        link = shlex.split(commands[-1].removeprefix(": && ").removesuffix(" && :"))
        self.link = [word for word in link if not re.search(r"^CMakeFiles/.*\.o$|libquadrille_\w+\.a$", word)]
        self.objects = objects
        self.compile = {entry["file"]: entry["command"] for entry in
                        json.loads((build / "compile_commands.json").read_text())
                        if "CMakeFiles/quadrille.dir/" in entry["command"]}

    def sources(self, names=()):
        """The files to mutate, those of these names only if there are any. The reference judge is a test itself."""
        return sorted(path for pattern in self.group["sources"] for path in SOURCE.glob(pattern)
                      if not re.search(r"\.(test|perf|fuzz)\.cc$|^reference\.cc$", path.name)
                      and (not names or path.name in names))

    def compile_command(self, source, file, compiled):
        """How `file` is compiled as if it were the source."""
        command = shlex.split(self.compile[str(source)])
        command[command.index("-o") + 1] = str(compiled)
        command[command.index(str(source))] = str(file)
        return [*command, "-Wno-error"]

    def link_command(self, objects, program):
        """How the tests are linked with these objects in place of what the library has of them."""
        at = self.link.index("-o")
        return [*self.link[:at], *map(str, objects), *self.objects, "-o", str(program), *self.link[at + 2:]]

    def survives(self, source, text):
        """None if the mutant does not compile, else whether all tests pass."""
        with tempfile.TemporaryDirectory() as folder:
            file, program = pathlib.Path(folder) / source.name, pathlib.Path(folder) / "tests"
            compiled = pathlib.Path(folder) / "mutant.o"
            file.write_text(text)
            if subprocess.run(self.compile_command(source, file, compiled), cwd=self.build,
                              capture_output=True).returncode != 0:
                return None
            subprocess.run(self.link_command([compiled], program), cwd=self.build, check=True, capture_output=True)
            for chosen in self.group["filters"]:
                run = [program, "--gtest_brief=1", f"--gtest_filter={chosen}", "--gtest_fail_fast"]
                try:
                    done = subprocess.run(run, cwd=folder, capture_output=True, timeout=120,
                                          env={"TEST_TMPDIR": folder, "PATH": "/usr/bin:/bin"})
                except subprocess.TimeoutExpired:
                    return False
                if done.returncode != 0:
                    return False
        return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/quick")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="with --every: the place to begin with")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--report", type=argparse.FileType("a"), default=sys.stdout)
    parser.add_argument("group", choices=GROUPS)
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    args.build = args.build.resolve()
    bench = Bench(args.build, args.group)
    sources = bench.sources(args.files)
    if sources and bench.survives(sources[0], sources[0].read_text()) is not True:
        sys.exit("the tests fail without any mutation")
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for source in sources:
            text = source.read_text()
            lines = text.split("\n")
            chosen = list(mutants_of(text))[args.first::args.every]

            def judge(mutant):
                number, line = mutant
                return bench.survives(source, "\n".join(lines[:number - 1] + [line] + lines[number:]))

            verdicts = list(pool.map(judge, chosen))
            killed, survived = verdicts.count(False), verdicts.count(True)
            print(f"{source.relative_to(SOURCE)}: {killed} of {killed + survived} killed", file=args.report)
            for (number, line), verdict in zip(chosen, verdicts):
                if verdict:
                    print(f"  {number}: {lines[number - 1].strip()}\n     -> {line.strip()}", file=args.report)
            args.report.flush()


if __name__ == "__main__":
    main()
