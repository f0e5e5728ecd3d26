"""What is written about the package: its docs run, its stubs name everything, everything has a docstring."""
import ast
import doctest
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import quadrille
from quadrille import _core

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUBS = ROOT / "python" / "quadrille" / "_core.pyi"


def examples(page):
    """The pycon blocks of a page, each as a doctest, in one session."""
    text = page.read_text(encoding="utf-8")
    return "\n".join(re.findall(r"^```pycon\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


class Docs(unittest.TestCase):
    def run_text(self, text, name):
        tests = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
        self.assertTrue(tests.examples, "no examples")
        said = []
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        results = doctest.DocTestRunner(optionflags=flags).run(tests, out=said.append)
        self.assertEqual(results.failed, 0, "".join(said))

    def test_every_example_of_the_page_runs(self):
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                self.run_text(examples(ROOT / "docs" / "python.md"), "python.md")
            finally:
                os.chdir(before)

    def test_the_example_of_the_package_runs(self):
        self.run_text(quadrille.__doc__, "quadrille")


class Stubs(unittest.TestCase):
    def setUp(self):
        self.tree = ast.parse(STUBS.read_text(encoding="utf-8"))

    def names_of(self, body):
        return {node.name for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}

    def test_they_name_everything_and_nothing_else(self):
        stated = self.names_of(self.tree.body)
        there = {name for name in vars(_core) if not name.startswith("__")}
        self.assertEqual(stated, there)
        for node in self.tree.body:
            if not isinstance(node, ast.ClassDef):
                continue
            members = {name for name in vars(getattr(_core, node.name)) if not name.startswith("_")}
            self.assertEqual({name for name in self.names_of(node.body) if not name.startswith("_")}, members, node.name)

    def test_everything_has_a_docstring(self):
        for name in quadrille.__all__:
            of = getattr(quadrille, name)
            self.assertTrue(of.__doc__, name)
            if getattr(of, "__module__", "") != "quadrille._core" or not isinstance(of, type):
                continue
            for member, what in vars(of).items():
                if not member.startswith("_"):
                    self.assertTrue((what.__doc__ or "").strip(), f"{name}.{member}")

    @unittest.skipUnless(shutil.which("mypy"), "mypy is not installed")
    def test_a_type_checker_accepts_the_package(self):
        with tempfile.TemporaryDirectory() as cache:
            checked = subprocess.run(
                ["mypy", "--strict", "--ignore-missing-imports", "--cache-dir", cache, str(STUBS.parent)],
                capture_output=True,
                text=True,
            )
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
