"""Useful transfers: those that bring a block to a node for the first time, against what nodes can make of them in so many steps."""


def by_sends(problem, steps):
    if problem.kind not in ("broadcast", "allgather", "reduce", "reduce_scatter"):
        return 0
    # In the direction in which copies spread; sums are read backwards.
    after, before = ({v: set() for v in problem.nodes} for _ in range(2))
    capacity = dict.fromkeys(problem.nodes, 0)
    for (tail, head), number in problem.links.items():
        a, b = (tail, head) if problem.copies else (head, tail)
        after[a].add(b), before[b].add(a)
        capacity[a] += number
    ports = problem.limit("send_ports" if problem.copies else "receive_ports")
    a_step = {v: min(ports, number) for v, number in capacity.items()}

    origins = [problem.root] if problem.kind in ("broadcast", "reduce") else list(problem.ends)
    useful = problem.pieces * sum(len(needed(problem, after, before, origin)) for origin in origins)
    hops, wave = {}, set(origins)
    while wave:
        hops |= dict.fromkeys(wave, 1 + max(hops.values(), default=-1))
        wave = {b for a in wave for b in after[a]} - hops.keys()
    in_all = {}
    for v in hops:  # each block once to each neighbour, but not to whom it came from
        own, passed_on = problem.pieces * (v in origins), len(after[v]) - (0 < len(before[v]) and before[v] <= after[v])
        in_all[v] = own * len(after[v]) + (problem.pieces * len(origins) - own) * passed_on
    return steps + 1 if made(steps, hops, a_step, in_all) < useful else 0


def needed(problem, after, before, origin):
    """The endpoints, who alone leads to one of them, and who alone follows the origin."""
    found, new = set(), set(problem.ends) | (after[origin] if len(after[origin]) == 1 else set())
    while new := new - found - {origin}:
        found |= new
        new = {u for v in new if len(before[v]) == 1 for u in before[v]}
    return found


def made(steps, hops, a_step, in_all):
    first = [v for v in hops if hops[v] == 0 and in_all[v]]
    others = [v for v in hops if hops[v] > 0 and in_all[v]]
    total = sum(min(in_all[v], a_step[v] * steps) for v in first)
    # Nobody knows in which order the others are reached: at best who can make most comes first.
    most = sorted((min(in_all[v], a_step[v] * steps) for v in others), reverse=True)
    near, fastest = sorted(hops[v] for v in others), max((a_step[v] for v in others), default=0)
    room, reached, step = 0, 0, 1
    while step < steps and reached < len(others) and first:
        room += sum(a_step[v] for v in first) + reached * fastest
        while reached < min(room, len(others)) and near[reached] <= step:
            total += min(most[reached], fastest * (steps - step))
            reached += 1
        step += 1
    return total
