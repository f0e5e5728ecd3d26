#!/usr/bin/env python3
"""Programs of other people, unchanged, under the shim: they check themselves, and the statistics say what was served.

    python3 tests/mpi_library/others.py NAME --run build/release/quadrille-run --programs FOLDER --ranks 4 [--mpi openmpi] [--source FOLDER]

hpcc: its FFT is MPI_Alltoall, and it checks its result. scalapack: Debian's tests of LU, QR and reductions to Hessenberg,
tridiagonal and bidiagonal form; with --whole all of its tests, those of BLACS and PBLAS included, of which what fails or hangs is run without
the shim, too. mpi4py: collectives of NumPy's arrays and of pickled objects. mpich: MPICH's own tests of collectives, compiled for either MPI from its
sources (--source: the folder that has test/mpi; else Debian's source package is asked for). Exit status 77, with the reason, where the program is not there.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

CANNOT = 77
SCALAPACK = Path("/usr/lib/x86_64-linux-gnu/scalapack")
HPCC_INPUT = Path("/usr/share/doc/hpcc/examples/_hpccinf.txt")


class Missing(Exception):
    """What is not installed."""


class Wrong(Exception):
    """What a program said of itself, or of what was served."""


class Shim:
    def __init__(self, options):
        self.options = options

    def set_of(self, ranks, folder):
        """A set for a ring of so many, with programs for all sizes."""
        out = folder / "sets" / str(ranks)
        if not out.exists() and ranks > 1:
            out.parent.mkdir(exist_ok=True)
            subprocess.run([str(self.options.run.resolve().parent / "quadrille"), "export", "all", f"ring({ranks})", "--to", "program-set", "--every-size",
                            "-o", str(out)], check=True, capture_output=True)
        return out if ranks > 1 else None

    def run(self, *program, folder, mpi=None, seconds=600, environment=None, ranks=None, programs=""):
        """What the program and the statistics say. Without the shim, where programs are None."""
        options = self.options
        if programs is None:
            start = [shutil.which(f"mpiexec.{mpi or options.mpi}"), "-n", str(ranks or options.ranks)]
        else:
            start = [str(options.run.resolve()), "--programs", str((programs or options.programs).resolve()), "-n",
                     str(ranks or options.ranks), "--mpi", mpi or options.mpi]
        with subprocess.Popen([*start, *map(str, program)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              start_new_session=True, env={**os.environ, "QUADRILLE_STATS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                                                    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                                                    "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl": "tcp,self", **(environment or {})}) as started:
            try:
                out = "".join(started.communicate(timeout=seconds))
            except BaseException:
                os.killpg(started.pid, signal.SIGKILL)
                raise
        if started.returncode != 0:
            raise Wrong(f"{program[0]} ended with {started.returncode}:\n{out[-3000:]}")
        return out


def served(text):
    """Calls that were served, by collective, of all communicators together."""
    return {name: int(calls) for name, calls in re.findall(r"rank 0: (\S+(?: with counts)?): (\d+) calls served", text)}


def expect_served(text, *collectives):
    calls = served(text)
    for each in collectives:
        if calls.get(each, 0) == 0:
            raise Wrong(f"no call of {each} was served: {calls}\n{text[-2000:]}")
    print("served:", ", ".join(f"{calls[name]} {name}" for name in calls if calls[name] > 0))


def hpcc(shim, folder):
    if not shutil.which("hpcc") or not HPCC_INPUT.exists():
        raise Missing("hpcc is not installed")
    # As it comes, but of a size that takes seconds, on a grid of all ranks.
    text = HPCC_INPUT.read_text(encoding="utf-8", errors="replace")
    text = re.sub(r"^\d+(\s+Ns)", r"200\1", text, flags=re.MULTILINE)
    text = re.sub(r"^\d+(\s+Ps)", r"2\1", text, flags=re.MULTILINE)
    text = re.sub(r"^\d+(\s+Qs)", rf"{shim.options.ranks // 2}\1", text, flags=re.MULTILINE)
    (folder / "hpccinf.txt").write_text(text)
    said = shim.run("hpcc", folder=folder)
    found = dict(re.findall(r"^(\w+)=(\S+)$", (folder / "hpccoutf.txt").read_text(), re.MULTILINE))
    if found.get("Success") != "1" or not float(found.get("MPIFFT_maxErr", "nan")) < 1e-12:
        raise Wrong(f"hpcc: Success={found.get('Success')}, MPIFFT_maxErr={found.get('MPIFFT_maxErr')}")
    print(f"MPIFFT_maxErr={found['MPIFFT_maxErr']}")
    expect_served(said, "alltoall", "allreduce", "broadcast")


def scalapack(shim, folder):
    tests = SCALAPACK / f"{shim.options.mpi}-tests"
    if not tests.exists():
        raise Missing("scalapack-mpi-test is not installed")
    # They read NAME.dat where they are, and want no more ranks than it names.
    names = [Path(name) for name in ("xdlu", "xdqr", "xdhrd", "xdtrd", "xdbrd")]
    if shim.options.whole:
        names = sorted((each.relative_to(tests) for each in tests.rglob("*")
                        if each.is_file() and os.access(each, os.X_OK) and "TIMING" not in each.parts), key=lambda each: (len(each.parts), "btest" in each.name, each.name))
    for data in tests.rglob("*.dat"):
        if "TIMING" not in data.parts:
            shutil.copy(data, folder)
    ran, alike, total = 0, [], {}
    for name in names:
        if not (tests / name).exists():
            continue
        result, said = scalapack_run(shim, tests / name, folder)
        if not is_right(result):
            without, _ = scalapack_run(shim, tests / name, folder, programs=None)
            # How far a test comes in its time says nothing.
            is_late = all("not at its end" in each and "failed" not in each for each in (result, without))
            if without != result and not is_late:
                raise Wrong(f"{name}: {result}; without the shim: {without}\n{said[-3000:]}")
            alike.append(f"{name} ({result})")
        calls = served(said)
        print(f"{name}: {result}{'' if is_right(result) else ' with and without the shim'}; calls: {calls}", flush=True)
        for collective, count in calls.items():
            total[collective] = total.get(collective, 0) + count
        ran += 1
    if ran == 0:
        raise Missing("scalapack-mpi-test has none of its tests")
    print(f"{ran} of ScaLAPACK's tests; not right, but no other without the shim: {', '.join(alike) or 'none'}; served: {total}")


def scalapack_run(shim, program, folder, programs=""):
    """What becomes of it in a few words, the same for the same result, and what it says. MPICH's ranks poll, so a test may take an hour where
    there are fewer processors than ranks: of what is not at its end in time it is told whether all was right so far."""
    ended = ""
    try:
        said = shim.run(program, folder=folder, programs=programs, seconds=shim.options.seconds)
    except subprocess.TimeoutExpired as late:
        said, ended = (late.output or b"").decode(errors="replace"), "not at its end in time"
    except Wrong as error:
        return str(error).splitlines()[0], str(error)
    found = re.findall(r"(\d+) tests completed and (passed|failed)", said)
    found += [(str(len(re.findall(rf"^(?!.*(?:THRESH|RESULT  |tests completed)).*\b{word}\b", said, re.MULTILINE | re.IGNORECASE))), word) for word in ("passed", "failed")]
    found = [(count, word) for count, word in found if count != "0"]
    if ended:  # how far it came says nothing
        return ended + (", all right so far" if found and all(word == "passed" for _, word in found) else
                        "" if not found else ", " + ", ".join(f"{count} {word}" for count, word in found)), said
    return ", ".join(f"{count} {word}" for count, word in found) or "nothing said", said


def is_right(result):
    return "all right so far" in result or ("passed" in result and "failed" not in result)


MPI4PY = """
from mpi4py import MPI
import numpy
comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
mine = numpy.arange(4000 * size, dtype='d') + 1e6 * rank
theirs = numpy.empty_like(mine)
comm.Alltoall(mine, theirs)
expected = numpy.concatenate([numpy.arange(4000 * rank, 4000 * (rank + 1)) + 1e6 * r for r in range(size)])
assert (theirs == expected).all()
total = numpy.empty(4000, dtype='d')
comm.Allreduce(mine[:4000], total, op=MPI.SUM)
assert numpy.allclose(total, size * numpy.arange(4000) + 1e6 * size * (size - 1) / 2)
all_of_them = numpy.empty(4000 * size, dtype='d')
comm.Allgather(mine[:4000], all_of_them)
assert (all_of_them.reshape(size, 4000)[:, 0] == 1e6 * numpy.arange(size)).all()
text = comm.bcast('x' * 100000 if rank == 0 else None, root=0)
assert text == 'x' * 100000
assert comm.allreduce(rank) == size * (size - 1) // 2
half = comm.Split(rank % 2, rank)
assert half.allreduce(1) == half.size
if rank == 0:
    print('mpi4py is right')
"""


def mpi4py(shim, folder):
    python = "/usr/bin/python3"
    if subprocess.run([python, "-c", "import mpi4py, numpy"], capture_output=True, check=False).returncode != 0:
        raise Missing("python3-mpi4py or python3-numpy is not installed")
    (folder / "collectives.py").write_text(MPI4PY)
    said = shim.run(python, "collectives.py", folder=folder, mpi="openmpi")
    if "mpi4py is right" not in said:
        raise Wrong(said[-2000:])
    expect_served(said, "alltoall", "allreduce", "allgather", "broadcast")


# Lines that say more than program, ranks and arguments (an environment, much memory, an expected failure) are left out.
def mpich_runs(tests):
    """(program, ranks, arguments) as MPICH's own list has them."""
    out = []
    for line in (tests / "coll/testlist.in").read_text().splitlines():
        words = line.split()
        if not words or words[0].startswith(("#", "@")) or any(word.startswith(("mem=", "xfail", "mpiversion", "strict", "env=")) for word in words):
            continue
        if len(words) < 2 or not words[1].isdigit():
            continue
        out.append((words[0], int(words[1]), [word.removeprefix("arg=") for word in words[2:] if word.startswith("arg=")]))
    return out


def mpich_sources(options, folder):
    if options.source:
        return options.source
    (folder / "lists/partial").mkdir(parents=True)
    (folder / "parts").mkdir()
    # Sources from where this machine has its packages from.
    for path in [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]:
        if path.is_file() and path.suffix in (".list", ".sources"):
            (folder / "parts" / path.name).write_text(re.sub(r"(?m)^(Types: *)?deb\b(?!-)", r"\1deb-src", path.read_text()))
    apt = ["apt-get", "-q", "-o", "Dir::Etc::sourcelist=-", "-o", f"Dir::Etc::sourceparts={folder}/parts", "-o",
           f"Dir::State::lists={folder}/lists"]
    for words in (["update"], ["source", "--download-only", "mpich"]):
        if subprocess.run([*apt, *words], cwd=folder, capture_output=True, check=False).returncode != 0:
            raise Missing("MPICH's source package cannot be had")
    archive = next(folder.glob("mpich_*.orig.tar.*"))
    subprocess.run(["tar", "xf", archive.name], cwd=folder, check=True)
    return next(each for each in folder.glob("mpich-*") if each.is_dir())


def mpich(shim, folder):
    compiler = shutil.which(f"mpicc.{shim.options.mpi}")
    if not compiler:
        raise Missing(f"no mpicc.{shim.options.mpi} is there")
    tests = folder / "mpi"
    shutil.copytree(mpich_sources(shim.options, folder / "fetched") / "test/mpi", tests)
    # They call what MPI 3 has removed; Open MPI's library has it, its header only where one asks.
    removed = "CPPFLAGS='-DOMPI_OMIT_MPI1_COMPAT_DECLS=0 -DOMPI_REMOVED_USE_STATIC_ASSERT=0'" if shim.options.mpi == "openmpi" else ""
    made = subprocess.run(["sh", "-c", f"./configure --with-mpi=/usr CC={compiler} MPICC={compiler} {removed} --disable-fortran --disable-cxx "
                           "--disable-romio >configure.log 2>&1 && make -C dtpools >dtpools.log 2>&1 && make -C util >util.log 2>&1"],
                          cwd=tests, check=False, capture_output=True)
    if made.returncode != 0:
        raise Missing("MPICH's tests cannot be configured here")
    right, alone, total = 0, [], {}
    for name, ranks, arguments in mpich_runs(tests):
        built = subprocess.run(["make", "-C", "coll", name], cwd=tests, capture_output=True, check=False)
        if built.returncode != 0:
            print(f"{name}: not built")
            continue
        programs = shim.set_of(ranks, folder)
        wrong = None
        for served_too in (True, False):  # a test that fails alone, too, says nothing of the shim
            try:
                said = shim.run(tests / "coll" / name, *arguments, folder=tests / "coll", ranks=ranks, programs=programs if served_too else None, seconds=180)
                if "No Errors" not in said:
                    raise Wrong(said[-2000:])
            except (Wrong, subprocess.TimeoutExpired) as error:
                if not served_too:
                    alone.append(f"{name} of {ranks}")
                    wrong = None
                else:
                    wrong = error
                    continue
            break
        if wrong:
            raise Wrong(f"{name} of {ranks} ranks: {wrong}")
        if alone and alone[-1] == f"{name} of {ranks}":
            continue
        right += 1
        print(f"{name} of {ranks}: right", flush=True)
        for collective, calls in served(said).items():
            total[collective] = total.get(collective, 0) + calls
    print(f"{right} runs of MPICH's tests of collectives: No Errors; fail or hang without the shim, too: {', '.join(alone) or 'none'}; served: {total}")
    if right < 100:
        raise Wrong("these are too few")
    if any(total.get(each, 0) == 0 for each in ("alltoall", "allreduce", "broadcast", "allgather", "reduce", "gather", "scatter", "allgather with counts")):
        raise Wrong(f"too little was served: {total}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=("hpcc", "scalapack", "mpi4py", "mpich"))
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--mpi", choices=("openmpi", "mpich"), default="openmpi")
    parser.add_argument("--source", type=Path)
    parser.add_argument("--whole", action="store_true", help="all of ScaLAPACK's tests")
    parser.add_argument("--seconds", type=int, default=600, help="for a test of ScaLAPACK (600)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "fetched").mkdir()
        try:
            {"hpcc": hpcc, "scalapack": scalapack, "mpi4py": mpi4py, "mpich": mpich}[options.name](Shim(options), folder)
        except Missing as error:
            print(f"skipped: {error}")
            return CANNOT
        except Wrong as error:
            print(f"wrong: {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
