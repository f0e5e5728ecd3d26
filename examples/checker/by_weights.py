"""Weights: what the cheapest ways of all blocks cost, over the weight of all that a step can use."""
import collections, heapq, math

from checker.by_entering import paid_into_parts
from checker.by_starving import starved
from checker.counting import steps, used


def by_weights(problem, weights):
    price, sold = collections.Counter(), collections.Counter()
    for tail, head, weight in weights.get("links", []):
        price[tail, head] = weight
        pair = (min(tail, head), max(tail, head)) if problem.half else (tail, head)
        sold[pair] = max(sold[pair], weight * problem.links[tail, head])
    of_links = price.copy()
    for end, side in (0, "senders"), (1, "receivers"):
        for node, weight in weights.get(side, []):
            mine = [link for link in problem.links if link[end] == node]
            sold[node, side] = weight * int(used(problem, mine, end))
            for link in mine:
                price[link] += weight
    paid = paid_by_all(problem, price) * problem.pieces
    if problem.moves and not problem.half:
        return starved(problem, of_links, paid, sum(sold.values()))
    return steps(paid, sum(sold.values()))


def paid_by_all(problem, price):
    sums = not problem.moves and not problem.copies
    back = sums or problem.kind == "gather"  # towards where blocks go
    ways, first, last = collections.defaultdict(list), {}, {}
    for tail, head in problem.links:
        paid = price[tail, head]
        ways[head if back else tail].append((tail if back else head, paid))
        first[tail], last[head] = min(paid, first.get(tail, math.inf)), min(paid, last.get(head, math.inf))
    rooted, costs = problem.kind in ("broadcast", "scatter", "gather", "reduce"), []
    for start in [problem.root] if rooted else problem.ends:
        best, others = cheapest(ways, start), [e for e in problem.ends if e != start]
        if problem.kind == "alltoallv":
            costs.append(sum(best[b] * count for (a, b), count in problem.counts.items() if a == start))
        elif problem.moves:
            costs.append(sum(best[e] for e in others))
        else:  # a block that is copied goes to all, and over the last hop to each; sums come likewise
            costs.append(max(max(best[e] for e in others), sum((first if back else last)[e] for e in others)))
    entering = 0 if problem.moves else paid_into_parts(problem, price)
    if problem.kind != "allreduce":
        return max(sum(costs), entering)
    both = [first[e] + last[e] for e in problem.ends]  # until somebody has everything all others have sent, and receive
    return max(*costs, entering, sum(both) - max(both), between_groups(problem, price))  # afterwards


def between_groups(problem, price):
    """Ends that hang on one node send to it and hear from it; with them it is a group, and groups tell each other."""
    near = collections.defaultdict(set)
    for tail, head in problem.links:
        near[tail].add(head), near[head].add(tail)
    single = {v for v in problem.ends if len(near[v]) == 1 and all(l in problem.links for n in near[v] for l in ((v, n), (n, v)))}
    hang = {v for v in single if not near[v] & single}
    paid, first, last = 0, {}, {}
    for (tail, head), weight in ((link, price[link]) for link in problem.links):
        if tail in hang or head in hang:
            paid += weight
        else:
            first[tail], last[head] = min(weight, first.get(tail, math.inf)), min(weight, last.get(head, math.inf))
    groups = {v for v in first.keys() & last.keys() if v in problem.ends or near[v] & hang}
    both = [first[v] + last[v] for v in groups]
    return paid + sum(both) - max(both, default=0)


def cheapest(ways, start):
    best, waiting = {}, [(0, start)]
    while waiting:
        paid, here = heapq.heappop(waiting)
        if here not in best:
            best[here] = paid
            for there, more in ways[here]:
                heapq.heappush(waiting, (paid + more, there))
    return best
