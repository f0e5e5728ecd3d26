#!/usr/bin/env python3
"""Programs for a network against every algorithm of SimGrid's MPI, on the same simulated links.

    rig/smpi_compare.py [NETWORK...] [-o FOLDER]       default: torus(4,4), torus(7,7), torus(8,8), fat_tree(4,4)
    rig/smpi_compare.py --golden FILE                  a small case, whose times must be those of the file, digit by digit

Links of 1 GB/s and 1 us, each way. What models protocols and noise is switched off, so a step takes what its busiest link
takes, and the times are exact. Tori are SimGrid's own, ranks in order, with its rule for ties; other networks are exported with one route for each pair.
Every run checks its bytes, but with --bare, for hundreds of ranks: there each call is a run of its own, without one to warm up, large buffers
lie on the same memory, and what takes more than --seconds is left out alone. `programs` is the set as the cost model chooses it, `tuned` the best of it and its candidates
(`export --candidates`, and on tori a few whose messages the network forwards) at each size, which is what measuring on this network would choose. Writes compare.csv, a table, and a script for gnuplot.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from rig import CANNOT, BadInput, CannotBuild, find_built

SWITCHES = ["smpi/simulate-computation:no", "network/crosstraffic:no", "network/weight-S:0", "network/TCP-gamma:0",
            "smpi/bw-factor:0:1", "smpi/lat-factor:0:1", "smpi/wtime:0", "contexts/stack-size:256"]
COLLECTIVES = ["alltoall", "allgather", "allreduce", "broadcast", "reduce_scatter", "gather", "scatter", "reduce"]
NAMES = {"broadcast": "bcast"}  # as SimGrid calls them
# What takes time is the way alone: a microsecond for each link, and nothing for the start of a message but the 16 bytes that SMPI sends in
# front of each. Programs of tori send to neighbours.
LINKS = ["--tx", "1ns/B"]
NEIGHBOURS, WAYS = ["--ts", "1us", *LINKS], ["--ts", "0us", "--tl", "1us", *LINKS]
ENVELOPE = ["--message-time", "16ns"]
# What large tori are not asked for: messages to ranks that are no neighbours.
FORWARDED = {"broadcast": ["broadcast_linear"], "allreduce": ["allreduce_recursive_doubling"]}
MOST_MEMORY = 3 << 30
FOLDED = 1 << 20  # buffers from here on share their memory in bare runs; a rank's program is smaller
FOLD = 1 << 25  # what they share: each of it is a mapping, of which a process may have 65,530
GOLDEN = [("torus(4,4)", collective, size) for collective in COLLECTIVES[:4] for size in (8, 256, 4096, 65536)]


def torus_sides(spec):
    found = re.fullmatch(r"\s*torus\(([\d,\s]+)\)\s*", spec)
    return [int(side) for side in found.group(1).split(",")] if found else None


def ask(*command):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BadInput((done.stderr or done.stdout).strip())
    return done.stdout


def run_for(command, seconds, limit, **where):
    """As subprocess.run() with a timeout; what the command has started ends with it."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                          preexec_fn=lambda: resource.setrlimit(limit, (MOST_MEMORY, MOST_MEMORY)), **where) as started:
        try:
            out, errors = started.communicate(timeout=seconds)
        except BaseException:
            os.killpg(started.pid, signal.SIGKILL)
            raise
        return subprocess.CompletedProcess(command, started.returncode, out, errors)


class Simulated:
    """A network in a folder: platform.xml, hosts, and a set of programs."""

    def __init__(self, spec, folder, sizes, seconds=600, candidates=0, collectives=tuple(COLLECTIVES), bare=False):
        self.seconds, self.bare = seconds, bare
        self.spec, self.folder, self.program = spec, folder, find_built("quadrille")
        self.exchange = find_built("rig_exchange_smpi")
        self.smpirun = shutil.which("smpirun")
        if not self.smpirun:
            raise CannotBuild("no smpirun is there: libsimgrid-dev")
        folder.mkdir(parents=True, exist_ok=True)
        sides = torus_sides(spec)
        self.constants = NEIGHBOURS if sides else WAYS
        # A bound for what goes over several links at once, as messages between switches do here.
        self.bound_model = [] if sides else ["--switching", "shared"]
        if sides:
            self.ranks = 1
            for side in sides:
                self.ranks *= side
            # The last number of a torus varies fastest; SimGrid's first does.
            (folder / "platform.xml").write_text(f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="h-" radical="0-{self.ranks - 1}" suffix="" speed="1Gf" bw="1000000000Bps" lat="1us"
    loopback_bw="100GBps" loopback_lat="0ns" sharing_policy="SPLITDUPLEX" topology="TORUS"
    topo_parameters="{','.join(map(str, reversed(sides)))}"/>
</platform>
""")
            (folder / "hosts").write_text("".join(f"h-{n}\n" for n in range(self.ranks)))
        else:
            for form, name in (("simgrid-platform", "platform.xml"), ("simgrid-hosts", "hosts")):
                ask(self.program, "export", "alltoall", spec, "--algorithm", "alltoall_pairwise", "--switching", "wormhole", "--ports", "one",
                    *WAYS, "--to", form, "-o", folder / name)
            self.ranks = len((folder / "hosts").read_text().split())
        self.set = folder / "set"
        made = [self.program, "export", ",".join(collectives), spec, "--to", "program-set", "--every-size", "--sizes", ",".join(map(str, sizes))]
        tried = ["--candidates", str(candidates)] if candidates else []
        ask(*made, *(self.constants if sides else [*WAYS, *ENVELOPE]), *tried, "-o", self.set)
        self.forwarded = [(collective, name) for collective in collectives for name in FORWARDED.get(collective, []) if sides and candidates]

    def candidates(self, collective):
        """Names, and sets of that one program: what might be chosen instead."""
        out = []  # two of one name may be of two models
        lines = (self.set / "candidates.txt").read_text().splitlines() if (self.set / "candidates.txt").exists() else []
        for line in lines:
            words = line.split(" ", 8)
            if words[0] != "program" or words[1] != collective:
                continue
            folder = self.folder / "candidates" / words[7].removesuffix(".qprog")
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.set / words[7], folder)
            (folder / "programs.txt").write_text("\n".join([*lines[:3], line]) + "\n")
            out.append((f"{words[8]} in {words[5]}", folder))
        for kind, name in self.forwarded:
            folder = self.folder / "candidates" / name
            if kind != collective:
                continue
            try:
                ask(self.program, "export", kind, self.spec, "--algorithm", name, "--to", "program-set", "--every-size", "--switching", "shared",
                    *WAYS, "-o", folder)
            except BadInput:  # it is not for so many ranks
                continue
            out.append((name, folder))
        return out

    def run(self, cases, selection=None, whole=False, programs=None):
        """Milliseconds by (collective, bytes, who), or the reason why there are none."""
        if not self.bare or whole or not cases:
            return self.run_at_once(cases, selection, whole, programs)
        found = {}
        for case in cases:
            for by in ["programs", "library"] if not selection and not programs else [None]:
                try:
                    one = self.run_at_once([case], selection, False, self.set if by == "programs" else programs, "-" if by == "library" else None)
                except subprocess.TimeoutExpired:
                    one = "out of time"
                if isinstance(one, str):
                    print(f"  {self.spec}: {case} by {by or selection or programs.name}: not measured: {one}", flush=True)
                else:
                    found.update(one)
        return found

    def run_at_once(self, cases, selection, whole, programs, of=None):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("QUADRILLE_")}
        if programs:
            environment["RIG_PROGRAMS"] = "1"
        if self.bare:
            environment["RIG_BARE"] = "1"
        command = [self.smpirun, "-np", str(self.ranks), "-platform", "platform.xml", "-hostfile", "hosts",
                   *(f"--cfg={each}" for each in SWITCHES), *([f"--cfg=smpi/{selection}"] if selection else []),
                   *([f"--cfg=smpi/auto-shared-malloc-thresh:{FOLDED}", f"--cfg=smpi/shared-malloc-blocksize:{FOLD}"] if self.bare else []),
                   "--log=root.thres:critical", str(self.exchange), of or (str(programs or self.set) if not selection else "-"), "1", *cases]
        # What is folded has addresses and no memory.
        done = run_for(command, self.seconds, resource.RLIMIT_DATA if self.bare else resource.RLIMIT_AS, cwd=self.folder, env=environment)
        if whole:
            return done.stdout + done.stderr
        wrong = re.findall(r"^wrong: \d+ elements of (\S+) of (\d+) bytes by (\S+)", done.stdout, re.MULTILINE)
        if not wrong and (done.returncode != 0 or "all right" not in done.stdout):
            said = [line for line in (done.stdout + done.stderr).splitlines() if line and not line.startswith(("time", "case", "Execution")) and "--cfg" not in line]
            return said[0][:100] if said else f"status {done.returncode}"
        times = re.findall(r"^time (\S+) (\d+) (\S+) (\S+)", done.stdout, re.MULTILINE)
        return {(kind, int(size), by): None if (kind, size, by) in wrong else float(ms) for kind, size, by, ms in times}

    def sizes_of(self, collective, sizes):
        """Those whose buffers all fit: every rank is on this machine."""
        if self.bare:
            return sizes
        blocks = 1 if collective in ("allreduce", "broadcast", "reduce") else self.ranks
        return [size for size in sizes if 3 * self.ranks * blocks * size < MOST_MEMORY / 2]

    def bound_ms(self, collective, size):
        """Of the links alone, and the way that the farthest message has."""
        said = json.loads(ask(self.program, "compare", collective, self.spec, "--bytes", size, *self.constants, *self.bound_model, "--json"))
        return said[0]["sizes"][0]["lower_bound_time"] / 1e3


def algorithms_of(network, collective):
    """What SimGrid offers: its own algorithms and the choosers of other libraries. It lists them where it is asked for another."""
    said = network.run([f"{collective}:8"], f"{NAMES.get(collective, collective)}:?", whole=True)
    found = re.search(r"Valid algorithms: (.*)\.$", said, re.MULTILINE)
    if not found:
        raise BadInput(f"SimGrid does not say which algorithms {collective} has: {said[:200]}")
    return [each for each in found.group(1).split(", ") if each != "automatic"]  # that one measures all others


def check_golden(file):
    with tempfile.TemporaryDirectory() as place:
        network = Simulated(GOLDEN[0][0], Path(place) / "network", [8, 256, 4096, 65536], collectives=COLLECTIVES[:4])
        found = network.run([f"{collective}:{size}" for _, collective, size in GOLDEN])
    if isinstance(found, str) or None in found.values():
        print(f"SimGrid: {found}")
        return 1
    text = "".join(f"{kind} {size} {by} {ms:.9f}\n" for (kind, size, by), ms in found.items())
    if os.environ.get("QUADRILLE_UPDATE_GOLDEN") == "1":
        file.write_text(text)
    if text == file.read_text():
        print("the times of the file")
        return 0
    print(f"other times than those of {file} (QUADRILLE_UPDATE_GOLDEN=1 takes them over):\n{text}")
    return 1


def tune(network, ours, sizes, jobs, collectives):
    """The least of every size, and which program takes it; ours: what the set takes."""
    best = {(collective, size): (ms, "the set's") for (collective, size, by), ms in ours.items() if by == "programs"}
    nothing = (float("inf"), None)
    asked = [(collective, name, programs) for collective in collectives for name, programs in network.candidates(collective)]

    def one(job):
        collective, name, programs = job
        try:
            return job, network.run([f"{collective}:{size}" for size in network.sizes_of(collective, sizes)], programs=programs)
        except subprocess.TimeoutExpired:
            return job, "out of time"

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (collective, name, _), found in pool.map(one, asked):
            if isinstance(found, str):
                print(f"  {network.spec}: {collective} by {name}: not measured: {found}", flush=True)
                continue
            for (_, size, by), ms in found.items():
                if ms is None:
                    raise BadInput(f"{network.spec}: {collective} of {size} bytes by {name}: its bytes are wrong")
                best[collective, size] = min(best.get((collective, size), nothing), (ms, name))
    return best


def compare(spec, folder, sizes, jobs, seconds, candidates, collectives, bare):
    network = Simulated(spec, folder, sizes, seconds, candidates, collectives, bare)
    ours, rows, theirs = {}, [], {}
    for collective in collectives:
        try:
            found = network.run([f"{collective}:{size}" for size in network.sizes_of(collective, sizes)])
        except subprocess.TimeoutExpired:
            found = f"its programs and SMPI's default take more than the {seconds:g} seconds that a run may take (--seconds)"
        if isinstance(found, str) or None in found.values():
            raise BadInput(f"{spec}: {collective}: {found}")
        ours.update(found)
    tuned = tune(network, ours, sizes, jobs, collectives)
    asked = [(collective, algorithm) for collective in collectives for algorithm in algorithms_of(network, collective)]

    def one(job):
        collective, algorithm = job
        cases = [f"{collective}:{size}" for size in network.sizes_of(collective, sizes)]
        try:
            return job, network.run(cases, f"{NAMES.get(collective, collective)}:{algorithm}")
        except subprocess.TimeoutExpired:
            return job, "out of time"

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (collective, algorithm), found in pool.map(one, asked):
            if isinstance(found, str):
                print(f"  {spec}: {collective} by {algorithm}: not measured: {found}", flush=True)
                continue
            for size in network.sizes_of(collective, sizes):
                if bare and (collective, size, "library") not in found:
                    continue
                if found.get((collective, size, "library")) is None:
                    print(f"  {spec}: {collective} of {size} by {algorithm}: its bytes are wrong", flush=True)
                    continue
                theirs.setdefault((collective, size), []).append((found[collective, size, "library"], algorithm))
    for collective, size in theirs:
        if (collective, size) not in tuned:
            continue
        best, name = min(theirs[collective, size])
        # In bare runs one that was not at its end in time is no number.
        mine, default = (ours.get((collective, size, by), float("nan")) for by in ("programs", "library"))
        row = {"network": spec, "ranks": network.ranks, "collective": collective, "bytes": size,
               "bound_ms": network.bound_ms(collective, size), "programs_ms": mine, "tuned_ms": tuned[collective, size][0],
               "tuned": tuned[collective, size][1], "default_ms": default, "best_ms": best, "best": name,
               "measured": len(theirs[collective, size])}
        rows.append(row)
        print(f"{spec:12} {collective:10} {size:>8} {row['bound_ms']:>11.5f} {mine:>11.5f} {row['tuned_ms']:>11.5f} {default:>11.5f} "
              f"{best:>11.5f} {best / row['tuned_ms']:>6.2f}  {name} of {row['measured']}; {row['tuned']}", flush=True)
    return rows


def write(folder, rows, collectives):
    with open(folder / "compare.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, rows[0].keys())
        out.writeheader()
        out.writerows(rows)
    networks = sorted({row["network"] for row in rows})
    script = ["set logscale xy", "set xlabel 'bytes'", "set ylabel 'ms'", "set format x '%.0s%c'",
              "set key left top Left reverse samplen 1.5", f"set terminal svg size {400 * len(collectives)},{400 * len(networks)} noenhanced",
              "set output 'compare.svg'"]
    script.append(f"set multiplot layout {len(networks)},{len(collectives)}")
    for spec in networks:
        for collective in collectives:
            data = "\n".join(f"{row['bytes']} {row['bound_ms']} {row['programs_ms']} {row['tuned_ms']} {row['best_ms']} {row['default_ms']}"
                             for row in rows if row["network"] == spec and row["collective"] == collective)
            script += [f"set title '{collective}, {spec}'", "$data << END", data, "END",
                       "plot $data using 1:2 with lines title 'bound', '' using 1:3 with linespoints title 'programs', "
                       "'' using 1:4 with linespoints title 'tuned', '' using 1:5 with linespoints title 'best of SMPI', "
                       "'' using 1:6 with linespoints title 'default'"]
    (folder / "compare.gnuplot").write_text("\n".join(script) + "\n")
    if shutil.which("gnuplot"):
        subprocess.run(["gnuplot", "compare.gnuplot"], cwd=folder, check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", default=["torus(4,4)", "torus(7,7)", "torus(8,8)", "fat_tree(4,4)"])
    parser.add_argument("-o", "--output", type=Path, default=Path("smpi_compare"), help="folder (smpi_compare)")
    parser.add_argument("--sizes", default="8,256,4096,65536,1048576", help="bytes of messages (8,256,4096,65536,1048576)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="simulations at a time")
    parser.add_argument("--seconds", type=float, default=600, help="that a run may take; others are left out (600)")
    parser.add_argument("--candidates", type=int, default=6, help="programs of a collective that are tried beside the set's; 0: none (6)")
    parser.add_argument("--collectives", default=",".join(COLLECTIVES), help="which (all)")
    parser.add_argument("--bare", action="store_true", help="each call a run of its own, no look at the bytes: for hundreds of ranks")
    parser.add_argument("--golden", type=Path, metavar="FILE")
    options = parser.parse_args()
    try:
        if options.golden:
            return check_golden(options.golden)
        options.output = options.output.resolve()
        collectives = options.collectives.split(",")
        if unknown := [each for each in collectives if each not in COLLECTIVES]:
            raise BadInput(f"--collectives: '{unknown[0]}' is given; allowed are {', '.join(COLLECTIVES)}")
        rows = []
        print(f"{'network':12} {'collective':10} {'bytes':>8} {'bound, ms':>11} {'programs':>11} {'tuned':>11} {'default':>11} {'best':>11} {'by':>6}  "
              "best algorithm of those that were measured; best program")
        for number, spec in enumerate(options.networks):
            rows += compare(spec, options.output / f"network_{number}", [int(size) for size in options.sizes.split(",")], options.jobs, options.seconds,
                            options.candidates, collectives, options.bare)
            write(options.output, rows, collectives)
        behind = [row for row in rows if row["best_ms"] < row["tuned_ms"]]
        print(f"\n{len(rows) - len(behind)} of {len(rows)} at or ahead of the best; written: {options.output}/compare.csv")
        return 0
    except BadInput as error:
        print(f"smpi_compare: {error}", file=sys.stderr)
        return 2
    except CannotBuild as error:
        print(f"smpi_compare: skipped: {error}", file=sys.stderr)
        return CANNOT


if __name__ == "__main__":
    sys.exit(main())
