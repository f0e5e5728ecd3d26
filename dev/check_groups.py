#!/usr/bin/env python3
"""Says which sources of one folder use one name for two things, so that they could not be compiled as one; and which
headers define a type of one name, which the linker would take for one; which local names hide one of a neighbour; and where
GoogleTest is named so that quadrille::testing would be meant.

    dev/check_groups.py SOURCE_FOLDER

Sources are compiled in groups (cmake/groups.cmake); then the unnamed namespaces of a folder's sources are one. This looks
at what stands at the beginning of a line inside `namespace {`: types, constants and functions. Functions of one name are
two things only where they take the same types.
"""
import collections
import pathlib
import re
import sys

UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace\n", re.M | re.S)
OUTER = re.compile(r"^(namespace [\w:]+ \{)\n|^\}  // namespace ([\w:]+)\n", re.M)
TYPE = re.compile(r"^(?:template <.*>\n)?(?:struct|class|enum class|enum) (\w+)", re.M)
DEFINED = re.compile(r"^(?:struct|class|enum class|enum) (\w+)(?: final)?(?: :[^{;]*)? \{", re.M)
ALIAS = re.compile(r"^using (\w+) =", re.M)
CONSTANT = re.compile(r"^(?:inline |static )*const(?:expr|init)? [^(={;]*?\b(\w+)(?:\[\])?(?: =|\{|;)", re.M)
LOCAL = re.compile(r"^ +(?:static )?const(?:expr)? [^(={;]*?\b(k[A-Z]\w*)(?:\[\])?(?: =|\{)", re.M)
VARIABLE = re.compile(r"^(?!namespace|using|return|const|struct \w+ \{|enum|template)(?:[\w:]+(?:<[^;=(){}\n]*>)?[ &*]+)+(\w+)"
                      r"(?:\[\w*\])?(?:\{[^;]*\}| = [^;]*| \{\})?;$", re.M)
LOCALLY = r"(?:^ +|[(,] ?)(?!return\b|delete\b|else\b)(?:[\w:]+(?:<[^;=(){}\n]*>)?[ &*]+)+"
FUNCTION = re.compile(r"^(?!namespace|struct|class|enum|using|template|return|#|//| |\})[\w:<>,&*\[\] ]+?[ &*](\w+)\(([^{;]*?)\)"
                      r"(?: noexcept)? \{", re.M)

# What GoogleTest has; beside a source that knows quadrille::testing, `testing` alone is that.
GOOGLETEST = re.compile(r"(?<![:\w])testing::((?:HasSubstr|StartsWith|EndsWith|(?:Unordered)?ElementsAre\w*|IsSupersetOf|IsSubsetOf"
                        r"|IsEmpty|SizeIs|Contains|Each|Not|AllOf|AnyOf|Pair|Field|Property|Optional|MatchesRegex|ContainsRegex"
                        r"|Test|TestWithParam|Values\w*|Range|Message)\b)")


def namespace_at(text, position):
    """The named namespaces that are open there."""
    names = []
    for match in OUTER.finditer(text, 0, position):
        if match.group(1):
            names.append(match.group(1)[10:-2])
        elif names:
            names.pop()
    return "::".join(names)


def parameters(text):
    """Types of a parameter list, without the names."""
    return ",".join(re.sub(r"\s*\b\w+$", "", p.strip()) for p in re.split(r",(?![^<]*>)", text))


def names_of(path):
    text = path.read_text()
    for block in UNNAMED.finditer(text):
        where = namespace_at(text, block.start())
        body = block.group(1)
        for kind in (TYPE, ALIAS, CONSTANT):
            for match in kind.finditer(body):
                yield f"{where}::{match.group(1)}"
        for match in FUNCTION.finditer(body):
            yield f"{where}::{match.group(1)}({parameters(match.group(2))})"


def types_of(path):
    """Types that a header defines in a named namespace."""
    text = path.read_text()
    for match in DEFINED.finditer(text):
        yield f"{namespace_at(text, match.start())}::{match.group(1)}"


def is_of(kind, path):
    stem = path.name[:-3]
    return stem.endswith(".test") if kind else "." not in stem


def hidden(root, kind, seen):
    """Constants of a function that bear the name of a constant of a neighbour (-Wshadow)."""
    clashes = 0
    outer = collections.defaultdict(dict)
    for (folder, name), files in seen.items():
        outer[folder][name.rsplit("::", 1)[1]] = sorted(files)[0]
    for path in sorted(root.rglob("*.cc")):
        if not is_of(kind, path):
            continue
        for match in LOCAL.finditer(path.read_text()):
            other = outer[path.parent].get(match.group(1))
            if other:
                clashes += 1
                print(f"{path.relative_to(root)}: {match.group(1)} hides the one of {other}; another name")
    return clashes


def shadowed(root, kind):
    """Locals and parameters that bear the name of a variable of a neighbour's unnamed namespace (-Wshadow)."""
    clashes = 0
    folders = collections.defaultdict(list)
    for path in sorted(root.rglob("*.cc")):
        if is_of(kind, path):
            folders[path.parent].append((path, path.read_text()))
    for files in folders.values():
        for owner, text in files:
            names = {m.group(1) for block in UNNAMED.finditer(text) for m in VARIABLE.finditer(block.group(1))}
            for name in sorted(names):
                local = re.compile(LOCALLY + name + r"(?: =|[{;,)\[]| :)", re.M)
                for path, other in files:
                    if path != owner and local.search(other):
                        clashes += 1
                        print(f"{path.relative_to(root)}: {name} hides the one of {owner.name}; another name")
    return clashes


def half_named(root):
    """Names of GoogleTest without the :: that says whose testing is meant."""
    clashes = 0
    for path in sorted(root.rglob("*.test.*")):
        for match in GOOGLETEST.finditer(path.read_text()):
            clashes += 1
            print(f"{path.relative_to(root)}: testing::{match.group(1)} may mean quadrille::testing; write ::testing::")
    return clashes


def main():
    root = pathlib.Path(sys.argv[1])
    clashes = half_named(root)
    defined = collections.defaultdict(list)
    for path in sorted(root.rglob("*.h")):
        for name in types_of(path):
            defined[name].append(str(path.relative_to(root)))
    for name, files in defined.items():
        if len(files) > 1:
            clashes += 1
            print(f"{name} is defined in {' and in '.join(files)}; the linker takes them for one type: another name")
    for kind in ("", ".test"):
        seen = collections.defaultdict(set)
        for path in sorted(root.rglob("*.cc")):
            if is_of(kind, path):
                for name in names_of(path):
                    seen[(path.parent, name)].add(path.name)
        clashes += hidden(root, kind, seen) + shadowed(root, kind)
        for (folder, name), files in seen.items():
            if len(files) > 1:
                clashes += 1
                print(f"{folder.relative_to(root)}/: {name} is in {' and in '.join(sorted(files))}; sources of a folder are "
                      "compiled as one (cmake/groups.cmake): another name, or a namespace <file>_parts around it")
    return 1 if clashes else 0


if __name__ == "__main__":
    sys.exit(main())
