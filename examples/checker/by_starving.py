"""Starved routers: links out of routers that nobody can use in the first steps of an exchange, and links into them in the last."""
import collections
from fractions import Fraction


def starved(problem, weights, paid, sold):
    """Steps, where blocks that move pay so much, and a step could sell so much, by weights of links."""
    if not sold:
        return 0
    ends = [missed(problem, weights, end) for end in (0, 1)]
    best = value = Fraction(paid, sold)
    for step in range(max(map(len, ends))):
        value += Fraction(sum(end[step] for end in ends if step < len(end)), sold)
        if value > 2 * (step + 1):  # first and last steps are different ones
            best = max(best, value)
    return -(-best.numerator // best.denominator)


def missed(problem, weights, end):
    """What routers cannot sell in the first step, the second one, ..; at end 1, in the last one, the last but one, .."""
    out_of, of_all, entering = collections.defaultdict(list), [], 0
    for link, capacity in problem.links.items():
        if link[end] not in problem.ends:
            out_of[link[end]].append((weights[link], capacity))
        elif link[1 - end] not in problem.ends:
            entering += capacity
    for links in out_of.values():
        of_all += links
    found, came = [], collections.Counter()
    for before in range(64):
        each = sum(dearest(links, came[router]) for router, links in out_of.items())
        could = sum(weight * capacity for weight, capacity in of_all)
        found.append(could - min(each, dearest(of_all, entering * before)))
        if not found[-1]:
            break
        then = came.copy()
        for link, capacity in problem.links.items():
            then[link[1 - end]] += capacity if link[end] in problem.ends else min(capacity, came[link[end]])
        came = then
    return found


def dearest(links, blocks):
    worth = 0
    for weight, capacity in sorted(links, reverse=True):
        worth, blocks = worth + weight * min(capacity, blocks), blocks - min(capacity, blocks)
    return worth
