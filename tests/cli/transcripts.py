#!/usr/bin/env python3
"""Runs the transcripts in markdown files and compares what was printed, byte for byte.

    transcripts.py --program build/dev/quadrille tests/cli/*.md README.md
    transcripts.py --program build/dev/quadrille --update README.md     writes what was printed into the file

A transcript is a block that starts with ```console. In it, a line `$ command` is run by bash, and the lines up to the
next `$ ` or the end of the block are what it must print, errors included. A status other than 0 is the last of them:

    ```console
    $ quadrille show "torus(0)"
    error: ...
    [exit status 2]
    ```

All blocks of a file run in one new folder, in order, with the program's folder first in the path and `$TESTDATA` naming
the data of the tests. A line that begins with `time` says what was measured: of it, only the first word is compared.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def blocks(lines):
    """The (begin, end) of every console block: its lines, without the fences."""
    begin = None
    for number, line in enumerate(lines):
        if begin is None and line == "```console":
            begin = number + 1
        elif begin is not None and line == "```":
            yield begin, number
            begin = None
    if begin is not None:
        raise SystemExit(f"line {begin}: this ```console block never ends")


def commands(lines, begin, end):
    """The commands of a block: (line of the command, first line after its output)."""
    starts = [i for i in range(begin, end) if lines[i].startswith("$ ")]
    if not starts or starts[0] != begin:
        raise SystemExit(f"line {begin + 1}: a ```console block must start with '$ ' and a command")
    return list(zip(starts, starts[1:] + [end]))


def run(command, folder, environment):
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    printed = done.stdout.decode("utf-8", "replace").split("\n")
    if printed[-1] == "":
        printed.pop()
    if done.returncode != 0:
        printed.append(f"[exit status {done.returncode}]")
    return printed


def comparable(lines):
    return [re.sub(r"^(time|bandwidth)\b.*", r"\1", line) for line in lines]


def run_file(path, environment, update):
    lines = path.read_text().split("\n")
    result = []
    copied = 0
    failures = 0
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for begin, end in blocks(lines):
            for start, stop in commands(lines, begin, end):
                expected = lines[start + 1:stop]
                printed = run(lines[start][2:], folder, environment)
                count += 1
                result += lines[copied:start + 1]
                same = comparable(printed) == comparable(expected)
                result += expected if same else printed
                copied = stop
                if not same:
                    failures += 1
                    if not update:
                        print(f"{path}:{start + 1}: {lines[start]}")
                        print("  expected:", *expected, sep="\n    ")
                        print("  printed:", *printed, sep="\n    ")
    if update and failures:
        path.write_text("\n".join(result + lines[copied:]))
    return count, failures


def main():
    arguments = argparse.ArgumentParser(description="Runs transcripts.")
    arguments.add_argument("--program", type=pathlib.Path, required=True)
    arguments.add_argument("--update", action="store_true")
    arguments.add_argument("files", type=pathlib.Path, nargs="+")
    given = arguments.parse_args()

    environment = dict(os.environ, LC_ALL="C.UTF-8",
                       TESTDATA=str(pathlib.Path(__file__).resolve().parents[2] / "testdata"),
                       PATH=f"{given.program.resolve().parent}{os.pathsep}{os.environ['PATH']}")
    total = 0
    failed = 0
    for path in given.files:
        count, failures = run_file(path, environment, given.update)
        total += count
        failed += failures
    if total == 0:
        raise SystemExit("there is no transcript in these files")
    verb = "updated" if given.update else "different"
    print(f"{total} commands, {failed} {verb}")
    return 1 if failed and not given.update else 0


if __name__ == "__main__":
    sys.exit(main())
