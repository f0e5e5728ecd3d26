#!/usr/bin/env python3
"""Line coverage of a group of sources by the tests of that group: dev/coverage.py [--build build/quick] verify|bounds

Compiles the group's own files again with counters, links them with its tests (the groups are those of dev/mutate.py),
runs these, and says of every file how many of its lines were run, and which were not.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import mutate


def spans(numbers):
    """[1, 2, 3, 7] as "1-3 7"."""
    out = []
    for number in numbers:
        if out and out[-1][1] == number - 1:
            out[-1][1] = number
        else:
            out.append([number, number])
    return " ".join(f"{a}-{b}" if a < b else str(a) for a, b in out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=mutate.ROOT / "build/quick")
    parser.add_argument("group", choices=mutate.GROUPS)
    args = parser.parse_args()
    bench = mutate.Bench(args.build.resolve(), args.group)
    total = run = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        objects = {}
        for source in bench.sources():
            objects[source] = folder / (source.name + ".o")
            command = bench.compile_command(source, source, objects[source])
            subprocess.run([*command, "-O0", "--coverage", "-Wno-invalid-pch"], cwd=bench.build, check=True)
        program = folder / "tests"
        subprocess.run([*bench.link_command(list(objects.values()), program), "--coverage"], cwd=bench.build, check=True)
        for chosen in bench.group["filters"]:
            subprocess.run([program, "--gtest_brief=1", f"--gtest_filter={chosen}"], cwd=folder, check=True)
        for source, compiled in objects.items():
            told = subprocess.run(["gcov", "--json-format", "--stdout", str(compiled)], cwd=folder, check=True,
                                  capture_output=True, text=True).stdout
            counts = {}
            for file in json.loads(told)["files"]:
                if file["file"].endswith(str(source.relative_to(mutate.ROOT))):
                    for line in file["lines"]:
                        counts[line["line_number"]] = counts.get(line["line_number"], 0) + line["count"]
            missed = sorted(number for number, count in counts.items() if count == 0)
            total += len(counts)
            run += len(counts) - len(missed)
            print(f"{str(source.relative_to(mutate.SOURCE)):40} {len(counts) - len(missed):4} of {len(counts):4} lines"
                  f"  {'not: ' + spans(missed) if missed else ''}")
    print(f"{run} of {total} lines: {100 * run / max(total, 1):.1f} %")


if __name__ == "__main__":
    main()
