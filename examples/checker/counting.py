"""What the proofs count with: steps, what a step has room for, and how far it is."""
import collections


def steps(transfers, in_a_step):
    return -(-transfers // int(in_a_step)) if in_a_step else 0


def used(problem, links, end):
    """How many of these links can be used in a step, by the ports of the nodes at their tails (0) or heads (1)."""
    capacity = collections.Counter()
    for link in links:
        capacity[link[end]] += problem.links[link]
    return sum(min(problem.limit(("send_ports", "receive_ports")[end]), c) for c in capacity.values())


def hops(links, start, back=False):
    """From the nearest of some nodes to every other one; back: to the nearest of them."""
    found, wave, near = {}, set(start), collections.defaultdict(set)
    for tail, head in links:
        near[head if back else tail].add(tail if back else head)
    while wave:
        found.update(dict.fromkeys(wave, max(found.values(), default=-1) + 1))
        wave = set().union(*(near[v] for v in wave)) - set(found)
    return found
