"""Tests of claims must be able to fail: in each test that a row of the claims names, wherever it states a figure of
the paper (testing/stated.test.h), another figure is planted, and the test must then fail."""
import argparse
import json
import os
import re
import subprocess
import sys


def run(tests, name, planted):
    environment = dict(os.environ, QUADRILLE_PLANTED_FALSEHOOD=planted)
    return subprocess.run([tests, "--gtest_filter=" + name], env=environment, capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="quadrille")
    parser.add_argument("--tests", required=True, help="the unit tests")
    parser.add_argument("--one", action="store_true", help="one falsehood in each fifth test, the last one")
    options = parser.parse_args()
    papers = json.loads(subprocess.run([options.program, "claims", "--json"], capture_output=True, check=True).stdout)
    names = sorted({claim["test"] for paper in papers for claim in paper["claims"] if "test" in claim})
    if options.one:
        names = names[::5]
    wrong = []
    planted = 0
    for name in names:
        listed = run(options.tests, name, "list")
        lines = re.findall(r"^stated in line (\d+)$", listed.stdout, re.MULTILINE)
        if listed.returncode != 0 or "[       OK ] " + name not in listed.stdout:
            wrong.append(f"{name} fails as it is")
        elif not lines:
            wrong.append(f"{name} states nothing that could be false")
        for line in lines[-1:] if options.one else lines:
            planted += 1
            if "[  FAILED  ] " + name not in run(options.tests, name, line).stdout:
                wrong.append(f"{name} does not see the falsehood in line {line}")
    for each in wrong:
        print(each)
    print(f"{planted} falsehoods planted in {len(names)} tests: {len(wrong)} mistakes")
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main())
