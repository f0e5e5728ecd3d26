"""Times: when blocks are sent and received, how fast worms of ordered coordinates spread, and copies in a tree."""
import math

from checker.counting import hops, used


def by_between(problem, chosen):
    """Endpoints send blocks to each other, so many a step, and each is received as many steps later as it has hops."""
    if not problem.moves:
        return 0
    pairs = [b[:2] for b in problem.have if b[0] != b[1] and b[0] in chosen and b[1] in chosen]
    total = -len(pairs)
    for node in set(chosen) if pairs else ():
        far = hops(problem.links, [node])
        total += sum(far[there] - 1 for here, there in pairs if here == node)
        for end in 0, 1:
            able = used(problem, [link for link in problem.links if link[end] == node], end)
            total += sum(-(-number // int(able)) for number in range(1, 1 + sum(pair[end] == node for pair in pairs)))
    return -(-total // len(pairs)) if pairs else 0


def by_order(problem, witness):
    """Worms that correct coordinates first to last: those that leave a subtorus start in one of the first dimensions."""
    cut, *sides = witness
    if problem.model.get("routing") != "dimension_order" or problem.shared or len(problem.ends) < len(problem.nodes):
        return 0
    only_hears, only_informs = problem.kind in ("gather", "reduce"), problem.kind in ("broadcast", "scatter")
    if math.prod(sides) != len(problem.nodes) or not 0 < cut < len(sides):
        return 0
    if problem.kind == "alltoallv" or any(dimension(sides, *link) is None for link in problem.links):
        return 0
    return max(0 if only_hears else ordered(problem, sides, range(cut), 0),
               0 if only_informs else ordered(problem, sides, range(len(sides) - cut, len(sides)), 1))


def dimension(sides, here, there):
    """The one coordinate in which two nodes differ; they are numbered in row-major order."""
    found = []
    for d, side in reversed(list(enumerate(sides))):
        if here % side != there % side:
            found.append(d)
        here, there = here // side, there // side
    return found[0] if len(found) == 1 else None


def ordered(problem, sides, first, end):
    most = {True: 0, False: 0}
    for node in problem.nodes:
        mine = [link for link in problem.links if link[end] == node]
        for kind in most:
            links = [link for link in mine if (dimension(sides, *link) in first) == kind]
            most[kind] = max(most[kind], sum(problem.links[link] for link in links))
    if problem.limit(("send_ports", "receive_ports")[end]) < sum(most.values()) or not most[True]:
        return 0
    inside, outside, within, steps = 1, 0, 1, 0
    for d, side in enumerate(sides):
        within *= 1 if d in first else side
    while outside < len(problem.nodes) - within:
        outside, steps = outside + sum(most.values()) * outside + most[True] * inside, steps + 1
        inside = min(within, inside + most[False] * inside)
    return steps


def spread(problem, part, middle):
    """Steps until a copy that has come into a part over its only link is at all who want it; 0 where it is no tree."""
    near = {v: {b for a, b in problem.links if a == v} for v in (*part, middle)}
    inside = sum(len(near[v] & part) for v in part)
    if len(near[middle] & part) != 1 or inside != 2 * (len(part) - 1) or any(l[::-1] not in problem.links for l in problem.links):
        return 0
    order, above, below = [*(near[middle] & part)], {}, {v: [] for v in part}
    for v in order:
        more = near[v] & part - {above.get(v)}
        order += more
        above.update(dict.fromkeys(more, v))
    for v in reversed(order):
        turns = enumerate(sorted(below[v], reverse=True))
        takes = max((takes + int(i // problem.limit("send_ports")) + 1 for i, takes in turns), default=0)
        if v in above and (below[v] or v in problem.ends):
            below[above[v]].append(takes)
    return takes
