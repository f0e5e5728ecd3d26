#!/usr/bin/env python3
"""SimGrid as an outside witness: schedules that `quadrille export` wrote, replayed, take what their closed forms say.

    python3 tests/simgrid/replay.py --program build/dev/quadrille --smpirun smpirun [--slow]

Where all ranks do the same in every step, a plan of S steps, R blocks on the critical path and H hops takes

    S ts + H tl + (R B + 16 S) tx

for blocks of B bytes; the 16 are SimGrid's envelope of a message. Where ranks do not, they drift: some time is saved, or worms
of different steps meet. docs/simulation.md says more.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SWITCHES = ["smpi/simulate-computation:no", "network/crosstraffic:no", "network/weight-S:0", "network/TCP-gamma:0",
            "smpi/bw-factor:0:1", "smpi/lat-factor:0:1", "smpi/wtime:0", "smpi/host-speed:1Gf",
            "contexts/stack-size:256"]
BYTES = 1024
ENVELOPE = 16
TS, TX, TL = 1e-6, 0.08e-9, 0.5e-6  # a hop: where a case does not say 0
CONSTANTS = ["--ts", "1us", "--tx", "100Gbit/s"]
NO_HOPS = ["--tl", "0us"]
ONE_PORT_WORMS = ["--switching", "wormhole", "--ports", "one"]
# Collective, network, algorithm, other options, and how SimGrid's time lies to the closed form.
QUICK = [
    ("alltoall", "torus(7,7)", "alltoall_cayley", [], "equal"),
    ("alltoall", "torus(7,7)", "alltoall_wormhole_rings:found4", ONE_PORT_WORMS + NO_HOPS, "equal"),
    ("alltoall", "torus(8,8)", "alltoall_product_rounds", [], "equal"),
    ("alltoall", "torus(8,8)", "alltoall_wormhole_classes:2:tree", ONE_PORT_WORMS, "equal"),
    ("allreduce", "torus(8,8)", "allreduce_factors", [], "equal"),
    ("alltoall", "torus(16,16)", "alltoall_wormhole_t4", ONE_PORT_WORMS, "equal"),
    ("alltoall", "torus(16,16)", "alltoall_wormhole_classes:2:tree", ONE_PORT_WORMS, "equal"),
    ("alltoall", "torus(8,8,8)", "alltoall_wormhole_classes:8:tree", ONE_PORT_WORMS, "equal"),
    ("alltoall", "fat_tree(4,4,4,4;exponential)", "alltoall_pairwise", ONE_PORT_WORMS, "equal"),
    # The longest ways of two steps are no one node's; a wide link takes less for a single packet; and worms of
    # different steps meet as their nodes drift.
    ("alltoall", "torus(7,7)", "alltoall_wormhole_rings:found4", ONE_PORT_WORMS, "less"),
    ("scatter", "fat_tree(2,8;exponential)", "scatter_fat_tree", NO_HOPS, "less"),
    ("alltoall", "fat_tree(4,4)", "personalised(allgather_gossip)", ONE_PORT_WORMS + NO_HOPS, "more"),
]
SLOW = [
    ("alltoall", "torus(16,16)", "alltoall_product_rounds", [], "equal"),
    ("alltoall", "torus(8,8,8)", "alltoall_product_rounds", [], "equal"),
]


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


class Witness:
    def __init__(self, program, smpirun, folder):
        self.program, self.smpirun, self.folder = program, smpirun, folder

    def export(self, problem):
        for form in ("trace", "platform", "hosts"):
            name = form + (".xml" if form == "platform" else "")
            run([self.program, "export", *problem, "--bytes", str(BYTES), "--to", f"simgrid-{form}", "-o", name],
                self.folder)
        (self.folder / "list").write_text("trace\n")

    def replay(self, hosts="hosts"):
        """Seconds; nothing if it came to no end."""
        ranks = len((self.folder / hosts).read_text().split())
        said = subprocess.run([self.smpirun, "-np", str(ranks), "-platform", "platform.xml", "-hostfile", hosts,
                               *(f"--cfg={each}" for each in SWITCHES), "--log=root.fmt:%.15r%e%m%n", "-replay", "list"],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        found = re.search(r"^(\d+\.\d+) Simulation time", said.stdout + said.stderr, re.MULTILINE)
        return float(found.group(1)) if found and said.returncode == 0 else None

    def closed_form(self, problem):
        figures = json.loads(run([self.program, "plan", *problem, "--json"], self.folder))
        steps = figures["start_ups"]
        hops = 0 if "0us" in problem else figures["critical_hops"]
        blocks = figures.get("critical_blocks", figures.get("critical_path"))
        return steps * TS + hops * TL + (blocks * BYTES + steps * ENVELOPE) * TX


def problem_of(case):
    collective, network, algorithm, options, _ = case
    constants = [] if "--tl" in options else ["--tl", "0.5us"]
    return [collective, network, "--algorithm", algorithm, "--pieces", "1", *options, *CONSTANTS, *constants]


def check(witness, case):
    problem, relation = problem_of(case), case[-1]
    witness.export(problem)
    expected, found = witness.closed_form(problem), witness.replay()
    if found is None:
        return f"{case[:3]}: SimGrid came to no end"
    off = found / expected - 1
    holds = {"equal": abs(off) < 1e-9, "less": off < -1e-3, "more": off > 1e-3}[relation]
    print(f"{case[0]} {case[1]} {case[2]}: {found:.12f} s, closed form {expected:.12f} s, {off:+.1e}")
    return None if holds else f"{case[:3]}: must be {relation}, is {found} s by SimGrid and {expected} s by the closed form"


def check_that_it_sees(witness):
    """Hosts in another order, and a message that is never sent, are noticed."""
    case = QUICK[3]
    problem = problem_of(case)
    witness.export(problem)
    expected = witness.closed_form(problem)
    hosts = (witness.folder / "hosts").read_text().split()
    routed = (witness.folder / "platform.xml").read_text()
    out = []
    (witness.folder / "sorted").write_text("\n".join(sorted(hosts)) + "\n")
    if sorted(hosts) != hosts and (again := witness.replay("sorted")) and abs(again / expected - 1) < 1e-3:
        out.append("hosts in another order must not take the same time")
    if "symmetrical=\"NO\"" not in routed:
        out.append("routes must be those of the plan, each way by itself")
    lines = (witness.folder / "trace").read_text().split("\n")
    lines.remove(next(line for line in lines if " isend " in line))
    (witness.folder / "trace").write_text("\n".join(lines))
    if witness.replay() is not None:
        out.append("a message that nobody sends must be missed")
    return out


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--program", required=True, type=Path)
    arguments.add_argument("--smpirun", required=True)
    arguments.add_argument("--slow", action="store_true", help="only what takes minutes")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        witness = Witness(options.program.resolve(), options.smpirun, Path(folder))
        wrong = [error for case in (SLOW if options.slow else QUICK) if (error := check(witness, case))]
        if not options.slow:
            wrong += check_that_it_sees(witness)
    print("\n".join(wrong) if wrong else "all agree")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
