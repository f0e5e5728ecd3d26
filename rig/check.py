#!/usr/bin/env python3
"""Quadrille's programs on a torus of real links: what goes over each link, whether it arrives, and how long it takes.

    rig/check.py [--network "torus(4,4)"] [--rate 4mbit] [--ties positive] [--mpi openmpi,mpich] [--quick] [--json FILE]

Fails where bytes are wrong or a link carries other bytes than the plan says: between 1.04 and 1.10 of its payload (headers and
acknowledgements), and like links alike within 1.5 %. Times are shown beside bound, library and goals, and fail nothing: they are a
machine's. A run in which a packet was lost or sent again is done again. Exit status 77, with the reason, where the machine cannot.
"""
import argparse
import json
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import pairs
from rig import CANNOT, BadInput, CannotBuild, Network, Rig, Standing, bits, execute, find_built

HEADERS = (1.04, 1.10)
SPREAD = 0.015
LEAST_PAYLOAD = 100_000  # bytes of a link: less is lost among barriers and acknowledgements
MOST_RUNS = 3
START_UP = "350us"  # what a message costs a rank here, nearly all of it this machine's time
# What is counted: a link must carry enough bytes to be told from barriers.
COUNTED = ["alltoall:16384", "allgather:16384", "allreduce:131072", "broadcast:262144"]
# Collective, bytes, least part of the bound, least gain over the library's default; alltoall and others differ in what they can gain.
GOALS = [("alltoall", 16384, 0.93, 1.5), ("allgather", 16384, 0.85, 4), ("allreduce", 16384, 0.85, 4),
         ("broadcast", 262144, 0.60, 4)]
SIZES = "16,256,1K,4K,16K"
LONG = ("allreduce,broadcast", "256K")
NEVER_BELOW = 0.95
TURNS = 3  # launches by the files of rules: times of one and the same program differ by a tenth from launch to launch
PAIRED = (3, 60)  # launches, and rounds of each, in which what is compared takes turns
PAIRED_MORE = (8, 100)  # the same where these do not tell: more launches, as each places communicators elsewhere
INDEX = re.compile(r"program (\S+) (\S+) (\d+) (\S+) (\d+) \S+ (\S+) (.+)")


# --- what a program sends -------------------------------------------------------------------------------------


def program_for(folder, collective, size):
    """File and pieces of the line of the index that is for the size."""
    for line in (folder / "programs.txt").read_text().splitlines():
        found = INDEX.fullmatch(line)
        if found and found.group(1) == collective and int(found.group(3)) <= size <= (
                size if found.group(4) == "-" else int(found.group(4))):
            return folder / found.group(6), int(found.group(5))
    raise BadInput(f"the set has no program for {collective} of {size} bytes")


def slots_sent(file):
    """Of a program file (docs/program_format.md): slots that go from rank to rank."""
    data = file.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    ranks, table, out = words[7], words[15], {}

    def sends(at):
        actions, runs = words[at + 4], at + 8 + 4 * words[at + 4]
        for a in range(actions):
            kind, peer, _, count = words[at + 8 + 4 * a:at + 12 + 4 * a]
            if kind == 0:
                yield peer, sum(words[runs + 3 * r + 2] for r in range(count))
            # Copies and reductions have two runs; waits list requests, which are elsewhere.
            runs += 3 * count if kind < 3 else 6 if kind in (4, 5, 6) else 0

    if words[2] == 1:
        found = [(rank, peer, slots) for rank in range(ranks) for peer, slots in sends(words[table + rank])]
    else:
        # Version 2 has rank 0's part, and how the group carries it to the others.
        generators = words[table + 2]
        images = [words[table + 3 + g * ranks:table + 3 + (g + 1) * ranks] for g in range(generators)]
        ways = words[table + 3 + generators * ranks:]

        def carried(rank, x):
            while rank != 0:
                x, rank = images[ways[2 * rank + 1]][x], ways[2 * rank]
            return x

        found = [(rank, carried(rank, peer), slots) for rank in range(ranks) for peer, slots in sends(words[table])]
    for rank, peer, slots in found:
        out[rank, peer] = out.get((rank, peer), 0) + slots
    return out


def payload(network, folder, case):
    """Bytes that a call puts on each link: a message that goes over several is on each of them."""
    collective, size = case.split(":")
    file, pieces = program_for(folder, collective, int(size))
    slot = -(-int(size) // pieces)
    slot += -slot % 4  # of whole elements
    out = dict.fromkeys(network.arcs(), 0)
    for (tail, head), slots in slots_sent(file).items():
        way = network.path(network.endpoints[tail], network.endpoints[head])
        for arc in zip(way, way[1:]):
            out[arc] += slots * slot
    return out


# --- bounds ---------------------------------------------------------------------------------------------------


def bound_ms(program, network, rate, collective, size):
    """What no plan beats by the links alone: by `quadrille compare` without start-ups."""
    said = subprocess.run([str(program), "compare", collective, network.spec, "--bytes", str(size), "--ts", "0us", "--tx",
                           f"{8e9 / bits(rate):.6f}ns/B", "--json"], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        raise BadInput(said.stderr.strip())
    return json.loads(said.stdout)[0]["sizes"][0]["lower_bound_time"] / 1e3


# --- runs -----------------------------------------------------------------------------------------------------


def quiet_run(rig, work):
    """What `work` returns in a run in which no packet was lost or sent twice, and whether there was one."""
    for _ in range(MOST_RUNS):
        before = rig.mishaps()
        out = work()
        after = rig.mishaps()
        happened = {what: after[what] - before[what] for what in after if after[what] != before[what]}
        if not happened:
            return out, True
        print(f"  discarded: {happened}", flush=True)
    return out, False


class RunFailed(Exception):
    """Ranks that did not end well."""


def ranks_run(rig, mpi, program, environment=None, nap_us=100, seconds=900):
    output, status = execute(rig.command(mpi, program, environment, nap_us=nap_us), seconds)
    if status != 0:
        raise RunFailed(f"{mpi}: {' '.join(map(str, program[:3]))} ended with {status}:\n{output[-2000:]}")
    return output


def check_links(network, folder, case, output, calls):
    """Lines that say what is wrong with the counters of a case, and the least and greatest factor over the payload."""
    wrong, factors = [], {}
    counted = {(int(tail), int(head)): int(sent) for tail, head, sent in re.findall(r"^link (\d+) (\d+) (\d+)", output, re.MULTILINE)}
    for arc, bytes_of_call in payload(network, folder, case).items():
        expected = calls * bytes_of_call
        if arc[0] not in network.endpoints:
            continue
        if arc not in counted:
            wrong.append(f"{case}: nobody counted link {arc[0]} > {arc[1]}")
        elif expected >= LEAST_PAYLOAD:
            factors.setdefault(expected, []).append(counted[arc] / expected)
        elif counted[arc] > 0.2 * LEAST_PAYLOAD + 1.5 * expected:
            wrong.append(f"{case}: link {arc[0]} > {arc[1]} carries {counted[arc]} bytes, where the plan puts {expected}")
    for expected, of in factors.items():
        if min(of) < HEADERS[0] or max(of) > HEADERS[1]:
            wrong.append(f"{case}: links of {expected} bytes by the plan carry {min(of):.3f} to {max(of):.3f} times that; "
                         f"allowed are {HEADERS[0]} to {HEADERS[1]}")
        if max(of) / min(of) - 1 > SPREAD:
            wrong.append(f"{case}: links of {expected} bytes by the plan differ by {100 * (max(of) / min(of) - 1):.2f} %")
    every = [each for of in factors.values() for each in of]
    if not every:
        wrong.append(f"{case}: no link carries enough to be told")
    return wrong, (min(every), max(every)) if every else (0, 0), len(every)


def count(rig, mpi, folder, calls):
    """Each case in a run of its own, with its counters."""
    wrong = []
    for case in COUNTED:
        # What waits long may sleep long.
        program = [find_built(f"rig_exchange_{mpi}"), folder, calls, case]
        output, quiet = quiet_run(rig, lambda: ranks_run(rig, mpi, program, {"RIG_COUNT": 1}))
        if "all right" not in output:
            wrong.append(f"{mpi}: {case}: {output[-500:]}")
            continue
        if not quiet:
            wrong.append(f"{mpi}: {case}: no run of {MOST_RUNS} was without loss")
            continue
        found, (least, most), links = check_links(rig.network, folder, case, output, calls)
        wrong += [f"{mpi}: {each}" for each in found]
        by = re.search(r"^case \S+ (.*) \(", output, re.MULTILINE).group(1)
        print(f"{mpi:8} {case:18} {links:3} links, {least:.3f} to {most:.3f} times the plan's bytes: {by}", flush=True)
    return wrong


def tune(rig, mpi, folder, collectives, sizes, milliseconds):
    """All that the tuner measured, by the programs and the library's own algorithms, in turns."""
    tuner = find_built("quadrille-mpi" if mpi == "openmpi" else "quadrille-mpi-mpich")
    program = [tuner, "tune", collectives, rig.network.spec, "-o", folder, "--sizes", sizes,
               "--milliseconds", milliseconds]
    _, quiet = quiet_run(rig, lambda: ranks_run(rig, mpi, program, seconds=3000))
    return json.loads((folder / "tuning.json").read_text()), quiet


def median_of(times):
    return sorted(times)[len(times) // 2]


def measure_used(rig, mpi, folder, tuned, most_bytes):
    """What unchanged programs get of a tuned folder by the shim and the library's own rules, beside the library as it comes and its
    own algorithm that was fastest, in turns: milliseconds by collective and bytes."""
    own = {}
    for of in tuned["collectives"]:
        for size in {each["bytes"] for each in of["times"] if each["bytes"] <= most_bytes}:
            own[of["collective"], size] = min((each["ms"], each["algorithm"]) for each in of["times"]
                                              if each["bytes"] == size and each["by"] == "library")[1]
    called = {"broadcast": "bcast"}

    def forced(collective, algorithm):
        name = called.get(collective, collective)
        if mpi == "openmpi":
            return {"OMPI_MCA_coll_tuned_use_dynamic_rules": 1, f"OMPI_MCA_coll_tuned_{name}_algorithm": algorithm}
        return {f"MPIR_CVAR_{name.upper()}_INTRA_ALGORITHM": algorithm}

    rules = {"QUADRILLE_PROGRAMS": folder}
    if mpi == "openmpi":
        rules.update({"OMPI_MCA_coll_tuned_use_dynamic_rules": 1, "OMPI_MCA_coll_tuned_dynamic_rules_filename": folder / "openmpi_rules.conf"})
    else:
        rules["MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"] = folder / "mpich_selection.json"
    shim = find_built("libquadrille_pmpi.so" if mpi == "openmpi" else "libquadrille_pmpi_mpich.so")
    runs = [("used", list(own), rules, [shim]), ("default", list(own), {}, [])]
    for collective, algorithm in sorted({(kind, name) for (kind, _), name in own.items() if name != "library"}):
        runs.append(("own", [case for case, name in own.items() if (case[0], name) == (collective, algorithm)], forced(collective, algorithm), []))
    out = {}
    for turn in range(TURNS):
        for who, cases, environment, preload in runs if turn % 2 == 0 else reversed(runs):
            program = [find_built(f"rig_exchange_{mpi}"), "-", 25, *(f"{kind}:{size}" for kind, size in cases)]
            said, status = execute(rig.command(mpi, program, environment, preload=preload), 300)
            if status != 0:
                raise RunFailed(f"{mpi}: {who}: {said[-2000:]}")
            for kind, size, ms in re.findall(r"^time (\S+) (\d+) library (\S+)", said, re.MULTILINE):
                out.setdefault((kind, int(size)), {}).setdefault(who, []).append(float(ms))
    return {case: {who: median_of(times) for who, times in of.items()} for case, of in out.items()}


def measure_paired(rig, mpi, folder, tuned, most_bytes):
    def launch(program, environment, preload):
        said, status = execute(rig.command(mpi, program, environment, preload=preload), 600)
        if status != 0:
            raise RunFailed(f"{mpi}: pairs: {said[-2000:]}")
        return said

    return pairs.measure(mpi, launch, folder, tuned, most_bytes, NEVER_BELOW, PAIRED, PAIRED_MORE)


def show_used(mpi, measured):
    print(f"\n{mpi}: ms that unchanged programs get by shim and files of rules, medians of {TURNS} launches, which differ by a tenth: no verdict")
    for (collective, size), of in sorted(measured.items()):
        best = min(of["default"], of.get("own", float("inf")))
        print(f"{collective:12}{size:>8}  used {of['used']:.3f}  default {of['default']:.3f}  best of its own {best:.3f}  "
              f"best/used {best / of['used']:.2f}")


def rows_of(tuned, bounds):
    """Collective, bytes, bound, the library's default, the best of its own, what its rules have it take, ours as chosen and at best, in ms."""
    for of in tuned["collectives"]:
        for size in sorted({each["bytes"] for each in of["times"]}):
            at = [each for each in of["times"] if each["bytes"] == size]
            default = next(each["ms"] for each in at if each["algorithm"] == "library" and each["by"] == "library")
            own = min((each["ms"], each["algorithm"]) for each in at if each["by"] == "library")
            rule = pairs.rule_of(at, tuned["clearly"])
            by_rule = next(each["ms"] for each in at if each["by"] == "library" and each["algorithm"] == rule)
            ours = min(((each["ms"], each["algorithm"], each["pieces"]) for each in at if each["by"] == "program"),
                       default=(float("inf"), "-", 1))
            chosen = [each for each in of["chosen"] if each["from_bytes"] <= size <= (each["to_bytes"] or size)]
            yield of["collective"], size, bounds(of["collective"], size), default, own, by_rule, ours, bool(chosen)


def show(tuned, bounds, mpi):
    print(f"\n{mpi}: ms; with the tuned set a size that no program won is the library's, by its rules\n"
          f"{'collective':12}{'bytes':>8}{'bound':>10}{'default':>10}{'its best':>10} {'':22}{'program':>10} {'of bound':>8}"
          f"{'default/':>9}{'best/':>7}  program")
    out = []
    for collective, size, bound, default, own, by_rule, ours, chosen in rows_of(tuned, bounds):
        used = ours[0] if chosen else by_rule
        print(f"{collective:12}{size:>8}{bound:>10.2f}{default:>10.2f}{own[0]:>10.2f} {own[1][:22]:22}{ours[0]:>10.2f} "
              f"{100 * bound / ours[0]:>7.1f}%{default / used:>9.2f}{own[0] / used:>7.2f}  {ours[1]} in {ours[2]}{' *' if chosen else ''}")
        out.append({"mpi": mpi, "collective": collective, "bytes": size, "bound_ms": bound, "default_ms": default,
                    "own_best_ms": own[0], "own_best": own[1], "used_ms": used, "program_ms": ours[0], "program": ours[1], "pieces": ours[2],
                    "chosen": chosen})
    return out


def hold_against_goals(rows):
    for collective, size, part, gain in GOALS:
        for row in rows:
            if row["collective"] != collective or row["bytes"] != size:
                continue
            of_bound, faster = row["bound_ms"] / row["program_ms"], row["default_ms"] / row["program_ms"]
            good = of_bound >= part and faster >= gain
            print(f"{row['mpi']:8} {collective} of {size}: {100 * of_bound:.1f} % of the bound (goal {100 * part:.0f}), {faster:.2f} "
                  f"times the default (goal {gain}): {'reached' if good else 'missed'}")
    for row in rows:
        if row["own_best_ms"] < NEVER_BELOW * row["used_ms"]:
            print(f"{row['mpi']:8} {row['collective']} of {row['bytes']}: {row['own_best']} of the library takes {row['own_best_ms']:.2f} ms, "
                  f"what is used {row['used_ms']:.2f}: missed, or noise (--used tells)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", default="torus(4,4)")
    parser.add_argument("--rate", default="4mbit")
    parser.add_argument("--ties", choices=("positive", "parity"), default="positive")
    parser.add_argument("--mpi", default="openmpi,mpich")
    parser.add_argument("--sizes", default=SIZES, help=f"that are timed ({SIZES})")
    parser.add_argument("--milliseconds", type=int, default=500, help="for a collective and size (500)")
    parser.add_argument("--calls", type=int, default=4, help="whose bytes are counted (4)")
    parser.add_argument("--used", type=int, default=0, metavar="BYTES",
                        help="up to this size also what unchanged programs get by shim and rules (0: not; minutes)")
    parser.add_argument("--quick", action="store_true", help="counters alone")
    parser.add_argument("--json", type=Path, help="a file for the times")
    options = parser.parse_args()
    wrong, rows = [], []
    try:
        program = find_built("quadrille")
        network = Network(options.network, options.ties, program)
        with Standing(Rig(network, options.rate)) as rig, tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "set"
            made = subprocess.run([str(program), "export", "alltoall,allgather,allreduce,broadcast", network.spec, "--to", "program-set",
                                   "--every-size", "--ts", START_UP, "--tx", f"{8e9 / bits(options.rate):.6f}ns/B", "--sizes",
                                   "1K,16K,128K,256K", "-o", str(folder)], capture_output=True, text=True, check=False)
            if made.returncode != 0:
                raise BadInput(made.stderr.strip())
            print(f"{network.spec}: {network.num_nodes} nodes, {len(network.arcs())} arcs of {options.rate}, ties {options.ties}\n")
            known = {}

            def bounds(collective, size):
                if (collective, size) not in known:
                    known[collective, size] = bound_ms(program, network, options.rate, collective, size)
                return known[collective, size]

            for mpi in options.mpi.split(","):
                wrong += count(rig, mpi, folder, options.calls)
            for mpi in [] if options.quick else options.mpi.split(","):
                for collectives, sizes in (("alltoall,allgather,allreduce,broadcast", options.sizes), LONG):
                    tuned, quiet = tune(rig, mpi, Path(place) / f"{mpi}_{sizes}", collectives, sizes, options.milliseconds)
                    if quiet:
                        rows += show(tuned, bounds, mpi)
                        if min(each["bytes"] for of in tuned["collectives"] for each in of["times"]) <= options.used:
                            show_used(mpi, measure_used(rig, mpi, Path(place) / f"{mpi}_{sizes}", tuned, options.used))
                            pairs.show(measure_paired(rig, mpi, Path(place) / f"{mpi}_{sizes}", tuned, options.used), NEVER_BELOW)
                    else:
                        wrong.append(f"{mpi}: no run of {MOST_RUNS} was without loss: its times say nothing")
            print()
            hold_against_goals(rows)
    except BadInput as error:
        print(f"rig: {error}", file=sys.stderr)
        return 2
    except CannotBuild as error:
        print(f"rig: skipped: {error}", file=sys.stderr)
        return CANNOT
    except RunFailed as error:
        print(f"rig: {error}", file=sys.stderr)
        return 1
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    print("\n".join(wrong) if wrong else "bytes and links are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
