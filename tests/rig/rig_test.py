#!/usr/bin/env python3
"""The rig itself: its routes, what it refuses, and that nothing of it is left behind.

    python3 tests/rig/rig_test.py routes|refusals|teardown --program build/dev/quadrille

`teardown` needs root and a kernel with namespaces and rate limits: exit status 77 where there is no such thing.
"""
import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

RIG = Path(__file__).resolve().parents[2] / "rig"
sys.path.insert(0, str(RIG))
import check  # noqa: E402
import pairs  # noqa: E402
import rig as rigs  # noqa: E402

wrong = []


def expect(holds, text):
    if not holds:
        wrong.append(text)


def loads(network):
    """Of a total exchange along the routes: paths over each arc."""
    out = dict.fromkeys(network.arcs(), 0)
    for tail in network.endpoints:
        for head in network.endpoints:
            way = network.path(tail, head)
            for arc in zip(way, way[1:]):
                out[arc] += 1
    return out


def distances(network, tail):
    out, queue = {tail: 0}, [tail]
    for node in queue:
        for other in network.neighbours[node]:
            if other not in out:
                out[other] = out[node] + 1
                queue.append(other)
    return out


def routes(program):
    for spec in ("torus(4,4)", "torus(8,4)", "mesh(4,4)", "torus(3,5)", "ring(5)", "hypercube(4)", "fat_tree(2,2)", "star(4)"):
        for ties in ("positive", "parity"):
            network = rigs.Network(spec, ties, program)
            for tail in network.endpoints:
                far = distances(network, tail)
                for head in network.endpoints:
                    expect(len(network.path(tail, head)) - 1 == far[head], f"{spec}, {ties}: {tail} to {head} is no shortest path")
    # What these networks are known for: how ties are broken decides what the busiest link carries.
    known = {("torus(4,4)", "positive"): (12, 4), ("torus(4,4)", "parity"): (8, 8), ("torus(8,4)", "positive"): (40, 8),
             ("torus(8,8)", "positive"): (80, 48), ("torus(8,8)", "parity"): (64, 64), ("mesh(4,4)", "positive"): (16, 12)}
    for (spec, ties), (most, least) in known.items():
        found = loads(rigs.Network(spec, ties, program)).values()
        expect((max(found), min(found)) == (most, least), f"{spec}, {ties}: links carry {min(found)} to {max(found)} paths, not {least} to {most}")
    # The first node's ways go over the last coordinate first.
    expect(rigs.Network("torus(4,4)", "positive", program).path(0, 10) == [0, 1, 2, 6, 10], "dimensions are not in order")
    # Bytes on the links are those of the plan: a total exchange of 16 nodes is 512 hops of blocks.
    folder = Path(subprocess.run(["mktemp", "-d"], capture_output=True, text=True, check=True).stdout.strip())
    try:
        made = [str(program), "export", "alltoall,broadcast", "torus(4,4)", "--to", "program-set", "--every-size", "--sizes", "16K", "-o",
                str(folder / "set")]
        subprocess.run(made, capture_output=True, check=True)
        on = check.payload(rigs.Network("torus(4,4)", "positive", program), folder / "set", "alltoall:16384")
        expect(set(on.values()) == {8 * 16384}, f"alltoall puts {set(on.values())} bytes on links, not {8 * 16384}")
        on = check.payload(rigs.Network("torus(4,4)", "positive", program), folder / "set", "broadcast:16384")
        expect(sum(on.values()) == 15 * 16384, f"broadcast puts {sum(on.values())} bytes on links, not {15 * 16384}")
        # A file of one part for all ranks (version 2) says the same.
        subprocess.run([str(program), "export", "alltoall", "torus(8,8,8)", "--to", "program", "--algorithm", "alltoall_torus", "-o",
                        str(folder / "one_part.qprog")], capture_output=True, check=True)
        sent = check.slots_sent(folder / "one_part.qprog")
        expect((folder / "one_part.qprog").read_bytes()[8] == 2, "torus(8,8,8) has one part for all ranks")
        expect(len(sent) == 512 * 6 and set(sent.values()) == {512}, f"{len(sent)} links carry {sorted(set(sent.values()))} blocks")
        expect("carry 0.990 to 0.990 times" in "".join(check.check_links(
            rigs.Network("torus(4,4)", "positive", program), folder / "set", "alltoall:16384",
            "".join(f"link {a} {b} {round(0.99 * 8 * 16384)}\n" for a, b in rigs.Network("torus(4,4)", "positive", program).arcs()), 1)[0]),
            "links that carry less than the plan says must be seen")
    finally:
        subprocess.run(["rm", "-rf", str(folder)], check=True)
    noise()


def noise():
    """What is told from it, by hand: 2 (1 + 6) / 2^6 is more than 5 %, 2 (1 + 9) / 2^9 less."""
    for count, known in ((6, (1, 3.5, 6)), (9, (2, 5, 8)), (25, (8, 13, 18))):
        expect(pairs.interval(range(1, count + 1)) == known, f"of {count}: {pairs.interval(range(1, count + 1))}")
    said = [pairs.verdict(*each, 0.95) for each in ((0.96, 1.02), (0.90, 0.94), (0.90, 1.0))]
    expect(said == ["reached", "missed", "not told"], f"verdicts: {said}")
    times = [{"by": "library", "algorithm": name, "of_library": ratio, "at_most": most}
             for name, ratio, most in (("library", 1, 1), ("ring", 0.9, 1.05), ("linear", 0.88, 1.2), ("bruck", 0.96, 1.05))]
    expect(pairs.rule_of(times, 0.97) == "ring", f"the rule names {pairs.rule_of(times, 0.97)}")


def refusals(program):
    command = [sys.executable, str(RIG / "rig.py"), "up", "--program", str(program)]
    for words, text in ((["torus(9,9)"], "rig: torus(9,9) has 81 nodes; allowed are 64"),
                        (["torus(4,4)", "--rate", "fast"], "rig: --rate: 'fast' is given; allowed is a number and kbit, mbit or gbit"),
                        (["tours(4,4)"], "tours")):
        done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
        expect(done.returncode == 2 and text in done.stderr, f"{words}: {done.returncode}: {done.stderr}")


def teardown(program):
    command = [sys.executable, str(RIG / "rig.py"), "run", "ring(3)", "--program", str(program), "--mpi", "openmpi", "--"]
    for how in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
        child = subprocess.Popen([*command, "sleep", "600"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for _ in range(600):
            # Ranks are there when somebody sleeps in a namespace.
            if child.poll() is not None or len(rigs.processes_in([rigs.name_of(n) for n in range(3)])) >= 6:
                break
            time.sleep(0.1)
        if child.poll() == rigs.CANNOT:
            print(child.stderr.read().strip())
            return rigs.CANNOT
        expect(len(rigs.rigged()) == 4, f"{len(rigs.rigged())} namespaces stand, not 4")
        ranks = rigs.processes_in(rigs.rigged())
        os.kill(child.pid, how)
        child.wait()
        for _ in range(100):
            left = [each for each in ranks if Path(f"/proc/{each}").exists()]
            if not rigs.rigged() and not left:
                break
            time.sleep(0.1)
        expect(not rigs.rigged(), f"after {how.name} {rigs.rigged()} still stand")
        expect(not left, f"after {how.name} processes {left} still run")
        expect(not rigs.STATE.exists(), f"after {how.name} {rigs.STATE} is still there")
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("routes", "refusals", "teardown"))
    parser.add_argument("--program", type=Path, required=True)
    options = parser.parse_args()
    status = {"routes": routes, "refusals": refusals, "teardown": teardown}[options.what](options.program.resolve())
    print("\n".join(wrong) if wrong else "all right")
    return 1 if wrong else status or 0


if __name__ == "__main__":
    sys.exit(main())
