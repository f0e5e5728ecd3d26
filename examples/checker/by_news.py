"""News: who can have heard of a node in so many steps, and of whom it can have heard."""
import collections, math

from checker.counting import hops, used
from checker.through_routers import through_routers

WAYS = "send_ports", "receive_ports"


def by_news(problem, witness):
    (root, least), back = witness, problem.kind in ("gather", "reduce")
    rooted = back or problem.kind in ("broadcast", "scatter")
    if root not in problem.ends or rooted and root != problem.root:
        return 0
    directions = [back] if rooted else [False, True]
    if problem.kind == "alltoallv":
        return max(some_hear(problem, root, back) for back in directions)
    return max(all_hear(problem, root, 1 if problem.worms else max(1, least), back) for back in directions)


def able(problem, back):
    """To how many others each node can send in a step; back: from how many it can receive."""
    return {v: used(problem, [l for l in problem.links if l[back] == v], back) for v in problem.nodes}


def some_hear(problem, root, back):
    """How far its farthest block goes, and how soon so many others can have heard of it."""
    others = [pair[not back] for pair, count in problem.counts.items() if count and pair[back] == root != pair[not back]]
    most = min(problem.limit(WAYS[back]), len(problem.nodes) - 1) if problem.shared else max(able(problem, back).values())
    known, steps, far = 1, 0, hops(problem.links, [root], back)
    while known <= len(others):
        known, steps = known * (1 + most), steps + 1
    return max(steps, 0 if problem.worms else max((far[v] for v in others), default=0))


def all_hear(problem, root, least, back):
    """A node informs some in a step, each of them then some of its other neighbours."""
    after, before = collections.defaultdict(set), collections.defaultdict(set)
    for link in problem.links:
        a, b = link[::-1] if back else link
        after[a].add(b), before[b].add(a)
    can, ports = able(problem, back), min(problem.limit(WAYS[back]), len(problem.nodes) - 1)
    a_step = int(max(ports if problem.shared else c if problem.worms else min(c, len(after[v])) for v, c in can.items()))
    others = max(len(after[v]) - (before[v] <= after[v]) for v in problem.nodes if v != root)  # one has informed it
    away = hops(problem.links, [root], back)
    wanted, reached = sum(1 for e in problem.ends if e != root and away[e] >= least), 0
    new = [{0: 1}]  # in every step: how many are informed, by the transfers on the way to them
    while reached < wanted:
        now = collections.Counter()
        for ago in range(1, len(new) + 1):
            for length, nodes in new[-ago].items():
                most = math.inf if problem.worms else others if length else len(after[root])
                now[length + 1] += nodes * max(0, min(a_step, most - (ago - 1) * a_step))
        new, reached = new + [now], reached + sum(n for length, n in now.items() if length >= least)
    if not wanted:
        return 0
    steps = max(len(new) - 1, best_first(problem, root, ports if problem.shared else None, can), through_routers(problem, root, after, before, ports))
    if problem.kind not in ("broadcast", "reduce") or problem.worms:
        return steps
    late = 0 if problem.many else (problem.pieces - 1) // int(can[root])
    return max(steps, in_a_tree(problem, root, after, problem.limit(WAYS[back]))) + late


def best_first(problem, root, ports, can):
    """Nobody is informed sooner than if those were informed first that can inform most others."""
    most = [ports or can[v] for v in sorted(can, key=lambda v: (v != root, -can[v]))]
    known, steps = 1, 0
    while known < len(problem.ends) and sum(most[:known]):
        known, steps = known + int(sum(most[:known])), steps + 1
    return steps


def in_a_tree(problem, root, after, ports):
    """There everybody tells all neighbours but one: best the one first whose subtree takes longest."""
    if len(problem.links) != 2 * (len(problem.nodes) - 1) or any(l[::-1] not in problem.links for l in problem.links):
        return 0
    order, parent, below = [root], {root: None}, collections.defaultdict(list)
    for v in order:
        for w in after[v] - {parent[v]}:
            parent[w] = v
            order.append(w)
    for v in reversed(order):
        late = max((int(i // ports) + 1 + b for i, b in enumerate(sorted(below[v], reverse=True))), default=0)
        if v in problem.ends or below[v]:
            below[parent[v]].append(late)
    return late
