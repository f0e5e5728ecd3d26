"""Cuts: of what must cross no more can cross in a step than there is room for, and nothing in the first and last ones."""
from checker.by_times import spread
from checker.counting import hops, steps, used


def by_cut(problem, inside):
    best, across, blocks = 0, [], 0
    for side in set(inside), set(problem.nodes) - set(inside):
        links = [link for link in problem.links if link[0] not in side and link[1] in side]
        across += links
        if links:
            before, after = hops(problem.links, {l[0] for l in links}, True), hops(problem.links, {l[1] for l in links})
            enter = list(entering(problem, side, before, after))
            able = min(sum(problem.links[l] for l in links), used(problem, links, 0), used(problem, links, 1))
            best, blocks = max(best, within(enter, able)), blocks + len(enter)
    both_ways = {frozenset(l): max(problem.links[l], problem.links[l[::-1]]) for l in across if problem.half}
    return max(best, steps(blocks, sum(both_ways.values())))


def by_node(problem, node):
    """Into every part that it separates from the others it must send what they want, and receive what they have."""
    nodes, parts = set(problem.nodes), []
    while left := nodes - {node} - set().union(*parts):
        part = {min(left)}
        while more := {b for l in problem.links for a, b in (l, l[::-1]) if a in part and b != node} - part:
            part |= more
        parts.append(part)
    to, on = hops(problem.links, [node], True), hops(problem.links, [node])
    near_to, near_on = ({v: max(h - 1, 0) for v, h in some.items()} for some in (to, on))  # stops at a neighbour
    sends = []
    for part in parts:  # copies have to be at all who want them
        least = spread(problem, part, node) if problem.copies else 0
        sends += [(before, max(after, least)) for before, after in entering(problem, part, to, near_on)]
    receives = [block for part in parts for block in entering(problem, nodes - part, near_to, on)]
    able = [used(problem, [l for l in problem.links if l[end] == node], end) for end in (0, 1)]
    return max(within(sends, able[0]), within(receives, able[1]))


def by_times(problem, times):
    """Blocks that cross, until nodes need them, from where they count as arrived to where they do not yet."""
    unequal = problem.kind == "alltoallv"
    if not unequal and (problem.kind not in ("broadcast", "reduce", "scatter", "gather") or times[problem.root]):
        return 0
    crossing = 0
    for (tail, head), capacity in problem.links.items():
        first, then = (head, tail) if problem.kind in ("reduce", "gather") else (tail, head)
        crossing += capacity * max(0, times[then] - times[first] - 1)
    latest = max(times[e] for e in problem.ends)
    if unequal:
        pairs = problem.counts.items()
        return latest if crossing < sum(n for (a, b), n in pairs if times[a] == 0 < times[b] == latest) else 0
    last = sum(times[e] == latest > 0 for e in problem.ends)
    return latest if crossing < problem.pieces * (last if problem.kind in ("scatter", "gather") else 1) else 0


def entering(problem, part, before, after):
    """Of blocks that somebody in it wants, and somebody outside has (a part of): hops until they can enter, and then."""
    for block, has in problem.have.items():
        outside, inside = has.keys() - part, part & set(problem.want[block])
        if outside and inside:
            yield max(before[o] for o in outside), max(after[i] for i in inside)


def within(blocks, in_a_step):
    """Steps of a plan in which so many cross at once, none of them in the first steps or the last, when none can."""
    best = 0
    for own in (0, 1) if blocks and in_a_step else ():
        most, idle = sorted((block[own] for block in blocks), reverse=True), min(block[1 - own] for block in blocks)
        best = max(best, max(steps(number, in_a_step) + m + idle for number, m in enumerate(most, 1)))
    return best
