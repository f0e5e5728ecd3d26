"""News where no endpoint has a link to another: each hears of it from a router, and who knows can only tell more routers."""


def through_routers(problem, root, after, before, ports):
    """Steps until all can know; after and before: to whom each node has links, and from whom."""
    ends = set(problem.ends)
    if problem.worms or any(after[e] & ends for e in ends):
        return 0
    most = lambda nodes, told: max((min(ports, told(v)) for v in nodes), default=0)
    routers = set(problem.nodes) - ends
    to_ends, to_routers = most(routers, lambda v: len(after[v] & ends)), most(routers, lambda v: len(after[v] - ends))
    first, others = min(ports, len(after[root])), most(ends - {root}, lambda v: len(after[v]) - (before[v] <= after[v]))
    known, relays, reached, steps = 1, 0, {root}, 0
    while known < len(ends):
        reached, steps = reached | {w for v in reached for w in after[v]}, steps + 1
        told = known + relays * to_ends
        relays = min(relays * (1 + to_routers) + first + (known - 1) * others, len(reached - ends))
        known = min(told, len(reached & ends))
    return steps
