"""Schedules for collective communication on interconnection networks: made, proved, compared, simulated.

    >>> import quadrille
    >>> schedule = quadrille.plan("alltoall", "torus(4,4)", ports="all")
    >>> schedule.steps, schedule.bound.least, schedule.optimal
    (8, 8, True)

Networks come from specs such as "torus(4,4)", from networkx graphs and from matrices: topology(). A schedule that exists is
one that an independent judge has passed; a plan that it rejects is a PlanRejected with its findings. What an argument means is
what the option of that name means to the program `quadrille`; docs/python.md is a tour.
"""
from __future__ import annotations

import os
from collections import namedtuple

from . import _core
from ._core import (
    Bound,
    ComparedCost,
    ComparedSteps,
    Figures,
    PlanTime,
    Schedule,
    Simulation,
    Topology,
    Transfers,
)
from ._errors import InputError, Place, refused
from ._graphs import topology

TYPE_CHECKING = False  # the module typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any, Optional, Sequence, Union

    from ._graphs import Network

    #: A size in bytes: 65536, "64KiB", "1MB".
    Size = Union[int, str]
    #: A number, or text with its unit: "2us", "100Gbit/s".
    Quantity = Union[int, float, str]

__version__ = _core.__version__

__all__ = [
    "Bound",
    "ComparedCost",
    "ComparedSteps",
    "Figures",
    "Finding",
    "InputError",
    "Page",
    "Place",
    "PlanRejected",
    "PlanTime",
    "Schedule",
    "Simulation",
    "Sweep",
    "Topology",
    "Transfers",
    "compare",
    "plan",
    "show",
    "simulate",
    "sweep",
    "topology",
    "verify",
]


class Finding(namedtuple("Finding", "rule step transfer node link block message")):
    """A rule of the judge that a plan breaks, and where."""

    __slots__ = ()

    #: The name of the rule, as `quadrille docs rules` lists it.
    rule: str
    #: The step, counted from 0; None: at the end of the plan.
    step: Optional[int]
    #: The transfer within its step, counted from 0; None: no single one.
    transfer: Optional[int]
    #: The node by number, or None.
    node: Optional[int]
    #: The link as (tail, head), or None.
    link: Optional[tuple[int, int]]
    #: The block as plan files name it, or None: see Schedule.block().
    block: Optional[tuple[int, ...]]
    #: All of it as a sentence, with the labels of nodes, steps and transfers counted from 1.
    message: str


class PlanRejected(ValueError):
    """The judge rejected a plan, or it states what is not true.

    findings: the first of them. total: how many there are. falsehoods: what the plan states of itself that is false.
    """

    def __init__(self, findings: list[Finding], total: int, falsehoods: list[str]):
        self.findings = findings
        self.total = total
        self.falsehoods = falsehoods
        first = findings[0].message if findings else falsehoods[0] if falsehoods else "it is not good"
        super().__init__(first if total <= 1 else f"{first} (the first of {total} findings)")

    def __reduce__(self) -> tuple[Any, ...]:
        return PlanRejected, (self.findings, self.total, self.falsehoods)


class Sweep(namedtuple("Sweep", "seeds with_contention deadlocks least_us mean_us most_us first_bad")):
    """What became of many simulated runs that differ in how nodes dawdle; made by sweep()."""

    __slots__ = ()

    #: How many runs.
    seeds: int
    #: In how many of them messages met.
    with_contention: int
    #: How many never ended.
    deadlocks: int
    #: The shortest run in microseconds.
    least_us: float
    #: The mean of all in microseconds.
    mean_us: float
    #: The longest in microseconds.
    most_us: float
    #: The first seed with contention or a deadlock, or None.
    first_bad: Optional[int]


def _words(given: dict[str, Any]) -> dict[str, str]:
    """Arguments as the program's options have them; None is none."""
    out = {}
    for name, value in given.items():
        if value is None:
            continue
        if isinstance(value, bool):
            raise TypeError(f"{name} is {value}; a number or a text is wanted")
        if name == "gap" and not isinstance(value, str):
            value = f"{float(value) * 100!r}%"
        out[name] = repr(value) if isinstance(value, float) else str(value)
    return out


def plan(
    collective: str,
    topology: Network,
    *,
    bytes: Optional[Size] = None,
    pieces: Union[int, str, None] = None,
    root: Union[int, str, None] = None,
    counts: Any = None,
    ports: Union[int, str, None] = None,
    send_ports: Union[int, str, None] = None,
    receive_ports: Union[int, str, None] = None,
    switching: Optional[str] = None,
    packets: Optional[str] = None,
    duplex: Optional[str] = None,
    routing: Optional[str] = None,
    operator: Optional[str] = None,
    chunks: Optional[str] = None,
    queues: Union[int, str, None] = None,
    machine: Optional[str] = None,
    ts: Optional[Quantity] = None,
    tx: Optional[Quantity] = None,
    tl: Optional[Quantity] = None,
    rho: Optional[Quantity] = None,
    to: Optional[Quantity] = None,
    algorithm: Optional[str] = None,
    gap: Union[float, str, None] = None,
    effort: Union[float, str, None] = None,
) -> Schedule:
    """The best schedule known for a collective on a network, proved by the judge.

    collective: "alltoall", "allreduce", "broadcast" and so on, or an alias such as "total_exchange".
    topology: whatever topology() takes.
    bytes: of a message, as MPI's count means it (a block of an alltoall, the vector of an allreduce): then time decides.
    pieces: into how many pieces messages are cut; "auto", the default with bytes, chooses.
    root: of a broadcast, scatter, gather or reduce: a node by number or label.
    counts: of an alltoallv: a matrix of how many blocks rank i has for rank j (NumPy's, SciPy's, or lists), or a file.
    ports: "one", "all" or a number, of sending and of receiving; send_ports and receive_ports for either.
    switching: "packet" or "wormhole". packets: "one" or "many" a step over a link. duplex: "full" or "half".
    routing, operator, chunks, queues: as the options of `quadrille plan`.
    machine: constants of a machine by name; or ts (a start-up), tx (a byte), tl (a hop), rho (rearranging a byte) and to (a
    message beyond a node's first), in microseconds with a unit as in "2us".
    algorithm: by name, instead of "auto". gap: 0.03 ends searches within three per cent of a bound; effort: how long they go on.

    Raises InputError for what makes no sense or cannot be done. Ctrl-C ends it.
    """
    network = _as_topology(topology)
    words = _words(
        {
            "bytes": bytes,
            "pieces": pieces,
            "root": root,
            "ports": ports,
            "send_ports": send_ports,
            "receive_ports": receive_ports,
            "switching": switching,
            "packets": packets,
            "duplex": duplex,
            "routing": routing,
            "operator": operator,
            "chunks": chunks,
            "queues": queues,
            "machine": machine,
            "ts": ts,
            "tx": tx,
            "tl": tl,
            "rho": rho,
            "to": to,
            "algorithm": algorithm,
            "gap": gap,
            "effort": effort,
        }
    )
    if counts is None:
        return _core._plan(collective, network, words)
    from ._counts import counts_file

    with counts_file(counts, network) as path:
        return _core._plan(collective, network, {**words, "counts": path})


def verify(
    path: Union[str, os.PathLike[str], None] = None,
    *,
    text: Optional[str] = None,
    max_findings: int = 20,
    allow_files: bool = False,
) -> Schedule:
    """Judges somebody's plan: of a file, or given as text.

    The plan may be in any form that `quadrille verify` reads (.plan, .json, MSCCL's .xml; text is told by its content).
    max_findings: how many are kept; all are counted. allow_files: the plan may name a graph file.
    Raises PlanRejected with findings, and InputError for what is no plan.
    """
    if path is not None and text is None:
        judged = _core._judge(os.fspath(path), True, max_findings, allow_files)
    elif path is None and text is not None:
        judged = _core._judge(text, False, max_findings, allow_files)
    else:
        raise TypeError("verify() takes a path, or text=")
    if isinstance(judged, Schedule):
        return judged
    findings = [Finding(**finding) for finding in judged["findings"]]
    raise PlanRejected(findings, judged["total"], judged["falsehoods"])


def compare(
    collective: str,
    topology: Network,
    *,
    bytes: Optional[Size] = None,
    **model: Union[int, float, str, None],
) -> Union[list[ComparedCost], list[ComparedSteps]]:
    """What every algorithm that applies takes, the best first.

    With bytes, or with constants of time, ComparedCost by time; without, ComparedSteps. Other arguments as those of plan().
    """
    network = _as_topology(topology)
    words = _words({"bytes": bytes, **model})
    if "bytes" in words or words.keys() & {"machine", "ts", "tx", "tl", "rho", "to"}:
        costs: list[ComparedCost] = _core._compare_costs(collective, network, words)
        return sorted(costs, key=lambda cost: cost.time)
    steps: list[ComparedSteps] = _core._compare_steps(collective, network, words)
    return sorted(steps, key=lambda each: each.steps)


def simulate(
    schedule: Schedule,
    *,
    bytes: Optional[Size] = None,
    flit: Optional[Size] = None,
    cycle: Optional[str] = None,
    vcs: Optional[int] = None,
    buffers: Optional[int] = None,
    router_delay: Optional[int] = None,
    link_delay: Optional[int] = None,
    sync: Optional[str] = None,
    barrier_cost: Optional[int] = None,
    signal_cost: Optional[int] = None,
    stall: Optional[str] = None,
    seed: Optional[int] = None,
    store_and_forward: bool = False,
) -> Simulation:
    """Runs a schedule on a simulated network, cycle by cycle (docs/simulation.md).

    bytes: of a message, 1024 if nobody says. flit: bytes of a flit (16). cycle: how long a cycle takes ("1ns").
    vcs: virtual channels of a link (2). buffers: flits that each holds (8). router_delay, link_delay: in cycles (1, 0).
    sync: what keeps steps apart: "barrier" (default), "signals", "priorities", "none", "stated".
    barrier_cost, signal_cost: in cycles (0). stall: nodes dawdle up to so long before a step: "300cycles", "2us"; seed: how.
    store_and_forward: every node takes messages in whole.
    """
    words = _words(
        {
            "flit": flit,
            "cycle": cycle,
            "vcs": vcs,
            "buffers": buffers,
            "router_delay": router_delay,
            "link_delay": link_delay,
            "sync": sync,
            "barrier_cost": barrier_cost,
            "signal_cost": signal_cost,
            "stall": stall,
            "seed": seed,
        }
    )
    return _core._simulate(schedule, "" if bytes is None else str(bytes), store_and_forward, words)


def sweep(
    schedule: Schedule,
    *,
    seeds: int,
    stall: str,
    bytes: Optional[Size] = None,
    seed: int = 1,
    **options: Union[int, str, None],
) -> Sweep:
    """Simulates so many runs whose nodes dawdle up to `stall`, with the seeds from `seed` on, on both cores.

    In how many do messages meet? Other arguments as those of simulate().
    """
    if seeds < 1:
        raise refused("seeds", "is", seeds, "a whole number from 1 on")
    words = _words({"seeds": seeds, "stall": stall, "seed": seed, **options})
    return Sweep(**_core._sweep(schedule, "" if bytes is None else str(bytes), words))


class Page:
    """The page of `quadrille view`, which needs nothing but a browser: it displays itself in notebooks, and can be saved.

    html: the page as text. height: in pixels, in a notebook.
    """

    def __init__(self, html: str, height: int = 640):
        self.html = html
        self.height = height

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes it as a file that a browser opens."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def __repr__(self) -> str:
        return f"<Page of {len(self.html):,} bytes>"

    def _repr_html_(self) -> str:
        import html

        frame = html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{frame}" width="100%" height="{self.height}" style="border:0"></iframe>'


def show(
    schedule: Schedule,
    *,
    beside: Union[Schedule, Sequence[Schedule], None] = None,
    bytes: Optional[Size] = None,
    height: int = 640,
) -> Page:
    """The page that shows a schedule step by step; the last line of a cell in a notebook displays it.

    beside: another schedule, or several, shown in step with it. bytes: of a message, for times. height: in pixels.
    """
    others = [] if beside is None else [beside] if isinstance(beside, Schedule) else list(beside)
    return Page(schedule.to_html(others, "" if bytes is None else str(bytes)), height)


def _as_topology(network: Network) -> Topology:
    return network if isinstance(network, Topology) else topology(network)


def _picture(of: Union[Schedule, Topology]) -> Optional[str]:
    """What notebooks show; nothing of what is too large for a picture."""
    try:
        return of.to_svg(width=420.0)
    except InputError:
        return None


setattr(Schedule, "_repr_svg_", _picture)
setattr(Topology, "_repr_svg_", _picture)
