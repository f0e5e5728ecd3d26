"""`pip install .`: the compiled part is built by CMake."""
import os
import pathlib
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        module = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        build = pathlib.Path(self.build_temp).resolve()
        options = {
            "CMAKE_BUILD_TYPE": "Release",
            "CMAKE_CXX_FLAGS_RELEASE": "-O3",
            "QUADRILLE_GROUP": "8",
            "QUADRILLE_MPI": "OFF",
            "QUADRILLE_PYTHON": "ON",
            "QUADRILLE_TESTS": "OFF",
            "PYTHON_EXECUTABLE": sys.executable,
        }
        given = [f"-D{name}={value}" for name, value in options.items()]
        subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, *given], check=True)
        jobs = ["-j", os.environ.get("JOBS", str(os.cpu_count() or 1))]
        subprocess.run(["cmake", "--build", build, "--target", "quadrille_python", *jobs], check=True)
        built = list((build / "python" / "quadrille").glob("_core*.so"))
        if len(built) != 1:
            sys.exit(f"setup.py: expected one module in {build}/python/quadrille, there are {len(built)}")
        module.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(built[0]), str(module))


setup(ext_modules=[Extension("quadrille._core", sources=[])], cmdclass={"build_ext": CMakeBuild})
