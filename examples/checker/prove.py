"""How many steps every plan takes, as far as a witness shows: from the problem and the witness alone."""
from checker.by_cut import by_cut, by_node, by_times
from checker.by_news import by_news
from checker.by_refutation import by_refutation
from checker.by_sends import by_sends
from checker.by_times import by_between, by_order
from checker.by_weights import by_weights

KINDS = {"cut": by_cut, "node": by_node, "times": by_times, "informed": by_news, "weights": by_weights,
         "refutation": by_refutation, "between": by_between, "order": by_order, "sends": by_sends}


def prove(problem, witness):
    kind = next((kind for kind in witness if kind in KINDS), None)
    if kind is None or len(problem.ends) < 2:
        return 0
    # Where a transfer takes any number of blocks, what counts transfers proves nothing of steps.
    if problem.worms and kind not in ("informed", "order") or problem.many and kind not in ("informed", "refutation"):
        return 0
    return KINDS[kind](problem, witness[kind])
