"""Whether what `auto` chooses contradicts itself: a weaker machine, or a harder task, must not get the better plan, for
whoever has that can lend it. MPI people call this self-consistent performance guidelines (Traeff, Gropp and Thakur,
"Self-consistent MPI performance guidelines", IEEE TPDS 2010).

Every collective is planned on every network with one port, two and all, by packets and by worms: by steps, and for the
sizes that are asked for by time. What fails, what contradicts what, and how many plans are at their bound is printed; the
exit status is 1 if anything fails or contradicts.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys

COLLECTIVES = ["broadcast", "scatter", "gather", "allgather", "alltoall", "reduce", "reduce_scatter", "allreduce"]
PORTS = ["one", "2", "all"]
SWITCHING = ["packet", "wormhole"]
STEPS = "steps"
ALIKE = 1 + 1e-6  # of times, which are sums of rounded figures

Cell = collections.namedtuple("Cell", "network collective ports switching size")
Plan = collections.namedtuple("Plan", "takes bound algorithm seconds")


def read_networks(path, graphs):
    networks = {}
    for line in open(path, encoding="utf-8"):
        line = line.split("#")[0].rstrip("\n")
        if line.strip():
            name, specification = line.split("\t")
            networks[name] = specification.replace("@", f"{graphs}/")
    return networks


def plan(program, specification, cell):
    """The plan of a cell, or what went wrong."""
    command = [program, "plan", cell.collective, specification, "--ports", cell.ports, "--switching", cell.switching, "--json"]
    if cell.size != STEPS:
        command += ["--bytes", cell.size, "--ts", "1us", "--tx", "100Gbit/s"]
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True)
    after = os.times()
    if done.returncode != 0:
        return (done.stderr.splitlines() or [f"exit status {done.returncode}"])[0]
    out = json.loads(done.stdout)
    if out["verdict"] != "passed":
        return "the judge says: " + out["verdict"]
    seconds = after.children_user - before.children_user  # true where nothing else runs (--jobs 1)
    if cell.size == STEPS:
        return Plan(out["steps"], max(1, out["lower_bound"]), out["algorithm"], seconds)
    return Plan(out["time"], out["lower_bound_time"], out["algorithm"], seconds)


def not_worse_than(cell, directed):
    """What the cell must not take longer than, and why."""
    def other(**changed):
        return cell._replace(**changed)

    fewer = {"all": "2", "2": "one"}.get(cell.ports)
    if fewer:
        yield "fewer ports", other(ports=fewer)
    if cell.switching == "wormhole" and cell.size == STEPS:  # by time a worm pays for what a packet does not
        yield "packets", other(switching="packet")
    for out, back in [("broadcast", "reduce"), ("allgather", "reduce_scatter"), ("scatter", "gather")]:
        if not directed and cell.collective in (out, back):
            yield "the reversed task", other(collective=back if cell.collective == out else out)
    for easy, hard in [("broadcast", "allgather"), ("scatter", "alltoall"), ("gather", "alltoall"), ("allgather", "alltoall"),
                       ("reduce_scatter", "alltoall"), ("reduce", "allreduce")]:
        if cell.collective == easy:
            yield "a harder task", other(collective=hard)
    if cell.network.endswith("-file"):
        yield "the network by its name", other(network=cell.network.removesuffix("-file"))


def contradictions(plans, directed):
    for cell, have in plans.items():
        for why, other in not_worse_than(cell, cell.network in directed):
            if other in plans and have.takes > plans[other].takes * ALIKE:
                yield (f"{' '.join(cell)} takes {have.takes:g} ({have.algorithm}), but {why}, {' '.join(other)}, "
                       f"{plans[other].takes:g} ({plans[other].algorithm})")
        if cell.collective == "allreduce":
            parts = [cell._replace(collective="reduce"), cell._replace(collective="broadcast")]
            if all(part in plans for part in parts):
                both = sum(plans[part].takes for part in parts)
                if have.takes > both * ALIKE:
                    yield f"{' '.join(cell)} takes {have.takes:g} ({have.algorithm}), but a reduce and a broadcast {both:g}"


def summary(plans):
    for size in dict.fromkeys(cell.size for cell in plans):
        for switching in SWITCHING:
            ratios = {cell: have.takes / have.bound for cell, have in plans.items()
                      if cell.switching == switching and cell.size == size}
            if ratios:
                worst = max(ratios, key=ratios.get)
                at_bound = sum(ratio <= ALIKE for ratio in ratios.values())
                print(f"{size:7} {switching:9} {len(ratios):5} plans, {100 * at_bound / len(ratios):5.1f} % at the bound, mean "
                      f"{statistics.mean(ratios.values()):.3f} times it, worst {ratios[worst]:.2f} ({' '.join(worst[:3])})")


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="quadrille")
    parser.add_argument("--networks", default=here / "networks.tsv", help="a name, a tab and a specification in each line")
    parser.add_argument("--graphs", default=here.parent.parent / "testdata" / "graphs", help="the folder that @ means")
    parser.add_argument("--only", help="these networks, by name, with commas between")
    parser.add_argument("--sizes", default=STEPS, help="such as steps,64,64KiB,64MiB")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--slowest", type=int, default=0, help="print so many of the plans that took longest (with --jobs 1)")
    options = parser.parse_args()

    networks = read_networks(options.networks, options.graphs)
    if options.only:
        unknown = [name for name in options.only.split(",") if name not in networks]
        if unknown:
            parser.error(f"{unknown[0]} is none of the networks: {', '.join(networks)}")
        networks = {name: networks[name] for name in options.only.split(",")}
    directed = {name for name, specification in networks.items()
                if json.loads(subprocess.run([options.program, "show", specification, "--json"], capture_output=True,
                                             check=True).stdout).get("structure", "").startswith("directed")}
    cells = [Cell(name, collective, ports, switching, size) for name in networks for size in options.sizes.split(",")
             for collective in COLLECTIVES for ports in PORTS for switching in SWITCHING]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        plans = dict(zip(cells, pool.map(lambda cell: plan(options.program, networks[cell.network], cell), cells)))

    failed = {cell: what for cell, what in plans.items() if isinstance(what, str)}
    plans = {cell: what for cell, what in plans.items() if cell not in failed}
    found = list(contradictions(plans, directed))
    for cell, what in failed.items():
        print(f"{' '.join(cell)} fails: {what}")
    for line in found:
        print(line)
    summary(plans)
    for cell in sorted(plans, key=lambda cell: -plans[cell].seconds)[:options.slowest]:
        print(f"{plans[cell].seconds:7.2f} s of processor: {' '.join(cell)}")
    print(f"{len(plans)} plans, {len(failed)} failed, {len(found)} contradictions")
    return 1 if failed or found or not plans else 0


sys.exit(main())
