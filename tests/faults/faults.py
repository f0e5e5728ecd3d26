#!/usr/bin/env python3
"""What the program does when the machine does not do what it should: disks that are full, kills, no threads, no memory,
streams that are closed. Whatever happens, an output is whole or as it was, nothing else is left behind, and what went
wrong is one message with exit status 2, never a bug of ours.

    faults.py --program build/dev/quadrille --no-threads build/dev/libquadrille_no_threads.so [NAME...]

Each function that begins with fault_ is one fault; they run one after another, each in a new folder. What cannot be
tried here is skipped with the reason.
"""
import argparse
import inspect
import os
import pathlib
import re
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import time

OLD = "what was there before\n"
# About 3 MB of plan: several parts of a buffer, and time enough to be killed.
LARGE = ["plan", "alltoall", "torus(16,16)"]
SMALL = ["plan", "alltoall", "ring(4)"]


class Skipped(Exception):
    pass


class Here:
    """The folder of a fault, and the program to run in it."""

    def __init__(self, folder, options):
        self.folder = pathlib.Path(folder)
        self.program = os.path.abspath(options.program)
        self.no_threads = os.path.abspath(options.no_threads)
        help_text = self.run(["--version"], environment={"ASAN_OPTIONS": "help=1"})[2]
        self.sanitized = "AddressSanitizer" in help_text

    def run(self, arguments, environment=None, limits=(), **streams):
        """(status, standard output, standard error)."""
        done = subprocess.run([self.program, *arguments], cwd=self.folder, env=self.environment(environment),
                              preexec_fn=lambda: [resource.setrlimit(which, (most, most)) for which, most in limits],
                              timeout=120, **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                                              "stderr": subprocess.PIPE, **streams})
        return done.returncode, text(done.stdout), text(done.stderr)

    def start(self, arguments, **more):
        return subprocess.Popen([self.program, *arguments], cwd=self.folder, env=self.environment(None),
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **more)

    def shell(self, line):
        """Runs a line of bash in which $Q is the program."""
        done = subprocess.run(["bash", "-c", line], cwd=self.folder, env=self.environment({"Q": self.program}),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        return done.returncode, text(done.stdout), text(done.stderr)

    @staticmethod
    def environment(more):
        return {**os.environ, "LC_ALL": "C", **(more or {})}

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def only(self, *names):
        expect(self.files() == sorted(names), f"the folder holds {self.files()}, not {sorted(names)}")

    def needs_plain_build(self, why):
        if self.sanitized:
            raise Skipped(f"the program is built with AddressSanitizer, {why}")


def text(part):
    return "" if part is None else part.decode("utf-8", "replace")


def expect(holds, otherwise):
    if not holds:
        raise AssertionError(otherwise)


def expect_error(result, pattern):
    """Bad input: one message like the pattern, and nothing about a bug."""
    status, _, errors = result
    expect(status == 2, f"exit status {status}, not 2: {errors}")
    expect(re.search(pattern, errors), f"'{errors}' is not like '{pattern}'")
    expect("bug" not in errors and errors.count("error:") == 1, f"not one message: '{errors}'")


def wait_for(what, holds):
    end = time.monotonic() + 60
    while not holds():
        expect(time.monotonic() < end, f"waited a minute for {what}")
        time.sleep(0.002)


# --- disks -------------------------------------------------------------------------------------------------------------


def fault_disk_full_device(here):
    expect_error(here.run([*SMALL, "-o", "/dev/full"]), "^error: cannot write '/dev/full': No space left on device\n$")
    here.only()


def fault_disk_full(here):
    """A file system of 64 KiB."""
    disk = here.folder / "disk"
    disk.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], stderr=subprocess.PIPE)
    if mount.returncode != 0:
        raise Skipped("no file system can be mounted here: " + text(mount.stderr).strip())
    try:
        for name in ("old.plan", "old.json"):
            (disk / name).write_text(OLD)
            expect_error(here.run([*LARGE, "-o", f"disk/{name}"]),
                         f"^error: cannot write 'disk/{name}': No space left on device\n$")
            expect((disk / name).read_text() == OLD, "the old file has changed")
        expect(sorted(os.listdir(disk)) == ["old.json", "old.plan"], f"left behind: {os.listdir(disk)}")
    finally:
        subprocess.run(["umount", disk], check=True)


def fault_file_too_large(here):
    for name in ("old.plan", "old.json"):
        (here.folder / name).write_text(OLD)
        expect_error(here.run([*LARGE, "-o", name], limits=[(resource.RLIMIT_FSIZE, 100_000)]),
                     f"^error: cannot write '{name}': File too large\n$")
        expect((here.folder / name).read_text() == OLD, "the old file has changed")
    here.only("old.plan", "old.json")


def fault_standard_output_full(here):
    with open("/dev/full", "wb") as full:
        expect_error(here.run(SMALL, stdout=full), "^error: the output cannot be written\n$")
        expect_error(here.run([*LARGE, "-o", "-"], stdout=full), "\nerror: the output cannot be written\n$")


def fault_input_that_breaks_off(here):
    """The memory of a process cannot be read from its beginning: EIO."""
    broken = "/proc/self/mem"
    expect_error(here.run(["verify", broken]), f"^error: cannot read '{broken}': Input/output error\n$")
    with open(broken, "rb") as stream:
        expect_error(here.run(["verify", "-"], stdin=stream), "^error: cannot read standard input: Input/output error\n$")


# --- kills -------------------------------------------------------------------------------------------------------------


def nameless_bytes(here, process):
    """How much the program has written into files of the folder that have no name."""
    total = 0
    for number in os.listdir(f"/proc/{process.pid}/fd"):
        try:
            link = f"/proc/{process.pid}/fd/{number}"
            to = os.readlink(link)
            if to.startswith(str(here.folder.resolve())) and to.endswith("(deleted)"):
                total += os.stat(link).st_size
        except OSError:
            continue  # closed meanwhile
    return total


def has_nameless_files(here):
    try:
        os.close(os.open(here.folder, os.O_TMPFILE | os.O_WRONLY))
    except OSError:
        return False
    return True


def writing(here, name):
    """The program in the middle of writing `name`."""
    process = here.start(["plan", "alltoall", "torus(32,32)", "-o", name])
    passing = re.compile(r"^\.quadrille-[0-9a-f]{16}\.tmp$")

    def has_begun():
        expect(process.poll() is None, "it was done before it was killed")
        sizes = [(here.folder / other).stat().st_size for other in here.files() if passing.match(other)]
        return any(size > 0 for size in sizes) or nameless_bytes(here, process) > 0

    wait_for("the passing file", has_begun)
    return process


def fault_killed_while_writing(here):
    (here.folder / "old.plan").write_text(OLD)
    process = writing(here, "old.plan")
    process.kill()
    process.communicate()
    expect((here.folder / "old.plan").read_text() == OLD, "the old file has changed")
    if has_nameless_files(here):
        here.only("old.plan")
    expect(here.run([*SMALL, "-o", "old.plan"])[0] == 0, "what was left behind is in the way")
    expect(here.run(["verify", "old.plan"])[0] == 0, "the new plan is not whole")


def fault_signal_while_writing(here):
    (here.folder / "old.plan").write_text(OLD)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
        process = writing(here, "old.plan")
        process.send_signal(number)
        process.communicate()
        expect(process.returncode == -number, f"ended with {process.returncode}, not by signal {number.name}")
        expect((here.folder / "old.plan").read_text() == OLD, "the old file has changed")
        here.only("old.plan")


def fault_ignored_signal_while_writing(here):
    """As under nohup: the plan is written all the same."""
    process = here.start([*LARGE, "-o", "new.plan"], preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    while process.poll() is None:
        process.send_signal(signal.SIGHUP)
        time.sleep(0.01)
    process.communicate()
    expect(process.returncode == 0, f"ended with {process.returncode}")
    here.only("new.plan")


def fault_interrupted_search(here):
    """Ctrl-C ends the search, and what it had is judged and written; a second one ends the program."""
    search = ["plan", "alltoall", "random_regular(512,4;2)", "--effort", "1000", "-o", "new.plan"]
    usual = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    process = here.start(search, **usual)
    time.sleep(2 if here.sanitized else 0.5)
    process.send_signal(signal.SIGINT)
    said = text(process.communicate()[1])
    expect(process.returncode == 0, f"ended with {process.returncode}")
    expect("the best plan so far is taken" in said, f"what was said is '{said}'")
    expect(here.run(["verify", "new.plan"])[0] == 0, "what was found is no good plan")
    here.only("new.plan")
    process = here.start(search, **usual)
    time.sleep(2 if here.sanitized else 0.5)
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    process.communicate()
    expect(process.returncode == -signal.SIGINT, f"ended with {process.returncode}")


# --- threads and memory ------------------------------------------------------------------------------------------------


def fault_no_threads(here):
    here.needs_plain_build("which wants to be loaded first")
    for given in range(3):
        few = {"LD_PRELOAD": here.no_threads, "QUADRILLE_THREADS": str(given)}
        status, printed, errors = here.run(LARGE, environment=few)
        expect(status == 0 and "verified" in printed, f"the judge cannot work with {given} threads: {errors}")
        expect_error(here.run(["run", "alltoall", "ring(4)"], environment=few),
                     f"^error: each of the 4 ranks needs a thread, and the system gives {given}: "
                     "Resource temporarily unavailable\n$")


def fault_no_memory(here):
    here.needs_plain_build("which takes more addresses than any limit")
    little = [(resource.RLIMIT_AS, 500 << 20)]
    there = r"; this process may take \d+ MiB more \(ulimit -v\)"
    expect_error(here.run(["plan", "reduce_scatter", "line(3000)"], limits=little),
                 "3000 blocks: to follow them all needs about 3.[0-9] GiB" + there)
    expect_error(here.run(["plan", "broadcast", "torus(3000,3000)"], limits=little),
                 "36000000 arcs and needs about 1.5 GiB" + there)
    plan = here.folder / "small.plan"
    plan.write_text("quadrille-plan 1\ntopology ring(3300)\ncollective reduce_scatter\nstep\n")
    expect_error(here.run(["verify", "small.plan"], limits=little),
                 "3300 blocks: to follow them all needs about 4.[0-9] GiB" + there)


def fault_small_plan_of_a_large_problem(here):
    """68 bytes for which the judge could need 4.5 GB: it takes what the plan needs."""
    plan = here.folder / "small.plan"
    plan.write_text("quadrille-plan 1\ntopology ring(3300)\ncollective reduce_scatter\nstep\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    status, _, errors = here.run(["verify", "small.plan"])
    expect(status == 1, f"exit status {status}: {errors}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    expect(after <= max(before, 1_000_000), f"{after} KB at the most, {before} KB before")


# --- streams -----------------------------------------------------------------------------------------------------------


def fault_closed_streams(here):
    expect_error(here.shell('"$Q" verify - <&-'), "^error: cannot read standard input: Bad file descriptor\n$")
    expect_error(here.shell('"$Q" plan alltoall "ring(4)" >&-'), "^error: the output cannot be written\n$")
    expect(here.shell('"$Q" plan alltoall "rnig(4)" 2>&-')[0] == 2, "no standard error changes the exit status")
    expect(here.shell('"$Q" plan alltoall "ring(4)" -o a.plan >&- 2>&- <&-')[0] == 2, "exit status")
    # The figures have not landed in the plan.
    expect(here.run(["verify", "a.plan"])[0] == 0, "the plan is not whole")


def fault_folder_as_standard_input(here):
    expect_error(here.shell('"$Q" verify - < .'), "^error: cannot read standard input: Is a directory\n$")


# --- outputs that are no files, or not where they seem -----------------------------------------------------------------


def fault_planted_link(here):
    """The passing file had a name that could be foreseen."""
    (here.folder / "victim").write_text(OLD)
    (here.folder / "plans").mkdir()
    status, _, errors = here.shell('ln -s ../victim plans/a.plan.$$.tmp && exec "$Q" plan alltoall "ring(4)" -o plans/a.plan')
    expect(status == 0, errors)
    expect((here.folder / "victim").read_text() == OLD, "the victim is overwritten")


def fault_link_to_the_output(here):
    (here.folder / "far").mkdir()
    far = here.folder / "far" / "a.plan"
    far.write_text(OLD)
    far.chmod(0o640)
    near = here.folder / "a.plan"
    near.symlink_to("far/a.plan")
    expect(here.run([*SMALL, "-o", "a.plan"])[0] == 0, "exit status")
    expect(near.is_symlink() and far.read_text().startswith("quadrille-plan 1\n"), "the link is replaced")
    expect(stat.S_IMODE(far.stat().st_mode) == 0o640, "the permissions have changed")
    expect(os.listdir(here.folder / "far") == ["a.plan"], "something is left behind")


def fault_device_as_output(here):
    expect(here.run([*SMALL, "-o", "/dev/null"])[0] == 0, "exit status")
    expect(stat.S_ISCHR(os.stat("/dev/null").st_mode), "/dev/null is a device no more")


def fault_pipe_as_output(here):
    os.mkfifo(here.folder / "pipe.json")
    status, printed, errors = here.shell('"$Q" plan alltoall "ring(16)" -o pipe.json > /dev/null & "$Q" verify - < pipe.json')
    expect(status == 0 and "verified" in printed, errors)
    expect(stat.S_ISFIFO((here.folder / "pipe.json").stat().st_mode), "the pipe is replaced")


def fault_pipe_that_nobody_reads(here):
    os.mkfifo(here.folder / "pipe.json")
    expect_error(here.run([*SMALL, "-o", "pipe.json"]),
                 "^error: cannot write 'pipe.json': it is a pipe, and nobody has opened it to read for 5.0 s\n$")


def fault_standard_output_as_output(here):
    for line in ('"$Q" plan alltoall "ring(4)" -o /dev/stdout | cat', '"$Q" plan alltoall "ring(4)" -o /dev/stdout > a; cat a',
                 '"$Q" plan alltoall "ring(4)" -o b.plan > b.plan; cat b.plan'):
        _, printed, errors = here.shell(line)
        expect(printed.startswith("quadrille-plan 1\n") and "verdict " in printed, f"{line}: {printed}{errors}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--no-threads", required=True, help="a library to load first that refuses threads")
    parser.add_argument("names", nargs="*", help="only these")
    options = parser.parse_args()
    faults = [(name, do) for name, do in inspect.getmembers(sys.modules[__name__], inspect.isfunction)
              if name.startswith("fault_") and (not options.names or name in options.names)]
    failed = skipped = 0
    for name, do in faults:
        with tempfile.TemporaryDirectory(prefix="quadrille_faults_") as folder:
            try:
                do(Here(folder, options))
                print(f"held     {name}")
            except Skipped as why:
                skipped += 1
                print(f"skipped  {name}: {why}")
            except (AssertionError, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"FAILED   {name}: {error}")
    print(f"{len(faults) - failed - skipped} held, {skipped} skipped, {failed} failed")
    return 1 if failed or not faults else 0


if __name__ == "__main__":
    sys.exit(main())
