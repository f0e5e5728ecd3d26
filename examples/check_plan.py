#!/usr/bin/env python3
"""Checks a plan in Quadrille's JSON form with nothing but the standard library: check_plan.py PLAN.json..."""
import collections, json, sys

def distance(links, here, there):
    reached, steps = {here}, 0
    while there not in reached:
        reached, steps = reached | {head for tail, head in links if tail in reached}, steps + 1
    return steps

def check(plan):
    net, what, model, links = plan["topology"], plan["collective"], plan.get("model", {}), collections.Counter()
    for tail, head, *capacity in net["links"]: links[tail, head] += (capacity or [1])[0]
    ends = net.get("endpoints", range(net.get("nodes", 1 + max((max(link) for link in links), default=0))))
    kind, root, pieces = what["kind"], what.get("root"), what.get("pieces", 1)
    root = [ends[0] if root is None else root]
    moves, copies = kind in ("scatter", "gather", "alltoall"), kind in ("broadcast", "allgather")
    first, last = root if kind in ("broadcast", "scatter") else ends, root if kind in ("gather", "reduce") else ends
    names = [(a, b) for a in first for b in last] if moves else [(a,) for a in (first if copies else last)]
    names = [()] if kind == "allreduce" else names
    names = [n + (p,) for n in names for p in range(pieces)] if pieces > 1 or kind == "allreduce" else names
    have = {n: {n[0]: {n[0]}} if moves or copies else {end: {end} for end in ends} for n in names}
    want = {n: ends if copies or kind == "allreduce" else [n[1 if moves else 0]] for n in names}
    worms, came, waits = model.get("switching") == "wormhole", {}, collections.Counter()
    limit = lambda way: float(str(model.get(way, "inf")).replace("all", "inf"))
    for number, step in enumerate(plan["steps"], 1):
        moved, used = [], collections.Counter()
        for path, blocks, op in ((t["path"], [tuple(b) for b in t["blocks"]], t.get("op")) for t in step):
            hops = list(zip(path, path[1:]))
            if any(h not in links for h in hops) or any(b not in have for b in blocks): yield number, "no such path or block"
            elif not (hops and blocks) or op and (moves or copies): yield number, "nothing to carry, nowhere to go, or a copy"
            elif len(set(hops)) < len(hops) if worms else len(hops + blocks) > 2: yield number, "more than one switch can do"
            elif model.get("routing") == "shortest" and len(hops) > distance(links, path[0], path[-1]): yield number, "a detour"
            used.update(hops)
            moved += [(b, path[0], path[-1], have[b].get(path[0], set()), op, tuple(path[:2])) for b in blocks if b in have]
        if any(n > links[h] for h, n in used.items()): yield number, "a link carries more than its capacity"
        if model.get("duplex") == "half" and any(h[::-1] in used for h in used): yield number, "a half-duplex link goes both ways"
        for end, way in (0, "send_ports"), (-1, "receive_ports"):
            if max(collections.Counter(t["path"][end] for t in step).values(), default=0) > limit(way): yield number, f"too few {way}"
        for b, here, there, got, op, link in moved:
            waits.update((link, late) for late in range(came.get((b, here), number) + 1, number))
            if not got or moves and not have[b].pop(here, None): yield number, f"{here} sends {b}, which it has not"
            if moves and here in want[b] or copies and there in have[b] and there in want[b]: yield number, f"{b} is delivered twice"
            twice = len([m for m in moved if (m[0], m[2]) == (b, there)]) > 1 if op else got & have[b].get(there, set())
            if twice and not moves and not copies: yield number, f"contributions to {b} count twice at {there}"
            have[b][there] = got if op else got | have[b].get(there, set())
        came.update(((m[0], m[2]), number) for m in moved if m[2] not in (want[m[0]] if moves else ends))
    if max(waits.values(), default=0) > limit("queues"): yield "end", "too many blocks wait for a link"
    full = {n: {n[0]} if moves or copies else set(ends) for n in names}
    yield from (("end", f"{n} is not complete at {e}") for n in names for e in want[n] if have[n].get(e) != full[n])

if __name__ == "__main__":
    found = {path: list(check(json.load(open(path)))) for path in sys.argv[1:]}
    for path, wrong in found.items(): print(f"{path}:", "; ".join(f"step {n}: {text}" for n, text in wrong) or "right")
    sys.exit(any(found.values()))
