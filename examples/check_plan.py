#!/usr/bin/env python3
"""Checks plans in Quadrille's JSON form with nothing but the standard library: check_plan.py PLAN.json...

A plan is followed step by step by the rules of docs/plan_format.md, and what it takes is held against what every plan
takes, as far as the witness of a stated bound proves it. Three short rooms, each to be read by itself:

    checker/problem.py              who has which blocks, who wants them, and what the model allows
    checker/{links,blocks,queues}.py    the rules of a plan
    checker/prove.py                what a witness proves: a cut, a node, news, weights, a refutation, times, sends
"""
import fractions, json, math, sys

from checker.blocks import Blocks
from checker.links import over_links
from checker.problem import Problem
from checker.prove import prove
from checker.queues import Queues


def check(plan):
    """All that is wrong with a plan: where, and what."""
    yield from wrong_steps(plan)
    yield from false_bounds(bounds(plan))


def wrong_steps(plan):
    problem = Problem(plan)
    blocks, queues = Blocks(problem), Queues(problem)
    for number, step in enumerate(plan["steps"], 1):
        queues.follow(number, step)
        for words in (*over_links(problem, step), *blocks.wrong_in(step)):
            yield number, words
    for words in (*blocks.wrong_in_the_end(), *queues.wrong_in_the_end()):
        yield "end", words


def bounds(plan):
    """The bounds that are stated with a witness: the name, the steps that are stated, and those that are proved."""
    for bound in (bound for bound in plan.get("bounds", []) if "witness" in bound):
        yield bound["name"], math.ceil(fractions.Fraction(bound["value"])), prove(Problem(plan), bound["witness"])


def false_bounds(bounds):
    for name, stated, proved in bounds:
        if proved < stated:
            yield "end", f"bound {name}: {stated} steps are stated, its witness proves {proved}"


def main(paths):
    all_right = True
    for path in paths:
        with open(path) as file:
            plan = json.load(file)
        shown, steps = list(bounds(plan)), len(plan["steps"])
        found = "; ".join(f"step {where}: {words}" for where, words in (*wrong_steps(plan), *false_bounds(shown)))
        least = max((proved for _, _, proved in shown), default=0)
        fewer = "none takes fewer" if least >= steps else f"every plan takes {least}" if least else "no bound is proved"
        print(f"{path}:", found or f"right: {steps} steps, and {fewer}")
        all_right = all_right and not found
    return 0 if all_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
