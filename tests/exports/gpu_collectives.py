"""What a collective of GPUs must leave behind, for the checkers of the forms that GPUs read."""
from collections import Counter


class Wrong(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Wrong(what)


def wanted(coll, gpu, per, gpus, root):
    """chunk of the output -> Counter of (rank, chunk of its input) that is added up there."""
    whole = lambda c: Counter((r, c) for r in range(gpus))
    if coll == "allreduce":
        return {c: whole(c) for c in range(per)}
    if coll == "reduce":
        return {c: whole(c) for c in range(per)} if gpu == root else {}
    if coll == "broadcast":
        return {c: Counter([(root, c)]) for c in range(per)}
    if coll == "allgather":
        return {r * per + c: Counter([(r, c)]) for r in range(gpus) for c in range(per)}
    if coll == "reducescatter":
        return {c: whole(gpu * per + c) for c in range(per)}
    if coll == "alltoall":
        return {r * per + c: Counter([(r, gpu * per + c)]) for r in range(gpus) for c in range(per)}
    if coll == "gather":
        return {r * per + c: Counter([(r, c)]) for r in range(gpus) for c in range(per)} if gpu == root else {}
    if coll == "scatter":
        return {c: Counter([(root, gpu * per + c)]) for c in range(per)}
    raise Wrong(f"no collective {coll}")
