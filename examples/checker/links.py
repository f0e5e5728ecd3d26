"""What may go over links, out of nodes and into them in one step."""
import collections

from checker.by_times import dimension


def over_links(problem, step):
    for transfer in step:
        yield from of_one(problem, transfer)
    paths = [tuple(t["path"]) for t in step]
    used = collections.Counter(hop for path in paths for hop in zip(path, path[1:]))
    joined = problem.many or problem.shared  # transfers on one path are one message, and links take any number
    if not joined and any(number > problem.links[hop] for hop, number in used.items()):
        yield "a link carries more than its capacity"
    if problem.half and any(hop[::-1] in used for hop in used):
        yield "a half-duplex link goes both ways"
    for end, way in (0, "send_ports"), (-1, "receive_ports"):
        at_nodes = collections.Counter(path[end] for path in (set(paths) if joined else paths))
        if max(at_nodes.values(), default=0) > problem.limit(way):
            yield f"too few {way}"


def of_one(problem, transfer):
    path, blocks = transfer["path"], [tuple(block) for block in transfer["blocks"]]
    hops, whole = list(zip(path, path[1:])), problem.moves or problem.copies
    if any(hop not in problem.links for hop in hops) or any(block not in problem.have for block in blocks):
        yield "no such path or block"
    elif not hops or not blocks:
        yield "nothing to carry, or nowhere to go"
    elif whole and (transfer.get("op") or transfer.get("from") is not None or transfer.get("to", 0)):
        yield "a copy, or slots, of what is no sum"
    elif transfer.get("from") == [] or transfer.get("to", 0) > 31:
        yield "no such slot"
    elif problem.worms and not problem.shared and len(set(hops)) < len(hops):
        yield "a worm takes a link twice"
    elif not problem.worms and (len(hops) > 1 or len(blocks) > 1 and not problem.many):
        yield "more than a packet can do"
    elif problem.sides and turns_back([dimension(problem.sides, *hop) for hop in hops]):
        yield "a worm turns back to a dimension before"
    elif problem.model.get("routing") == "shortest" and len(hops) > distance(problem.links, path[0], path[-1]):
        yield "a detour"


def turns_back(dimensions):
    return any(None in two or two[0] > two[1] for two in zip(dimensions, dimensions[1:]))


def distance(links, here, there):
    reached, steps = {here}, 0
    while there not in reached:
        reached, steps = reached | {head for tail, head in links if tail in reached}, steps + 1
    return steps
