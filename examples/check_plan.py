#!/usr/bin/env python3
"""Checks plans in Quadrille's JSON form with nothing but the standard library: check_plan.py PLAN.json...

check() follows every transfer of a plan. prove() asks what the witness of a lower bound proves, from the problem alone."""
import collections, fractions, heapq, json, math, sys

class Problem:
    def __init__(self, plan):
        net, what, self.links = plan["topology"], plan["collective"], collections.Counter()
        for tail, head, *capacity in net["links"]: self.links[tail, head] += (capacity or [1])[0]
        self.nodes = range(net.get("nodes", 1 + max((max(link) for link in self.links), default=0)))
        self.ends, kind, root = net.get("endpoints", self.nodes), what["kind"], what.get("root")
        self.kind, self.pieces, self.root = kind, what.get("pieces", 1), self.ends[0] if root is None else root
        self.model = plan.get("model", {})
        how, self.half = self.model.get("switching", "packet"), self.model.get("duplex") == "half"
        self.many, self.worms, self.shared = self.model.get("packets") == "many", how != "packet", how == "shared"
        self.moves, self.copies = kind in ("scatter", "gather", "alltoall", "alltoallv"), kind in ("broadcast", "allgather")
        first = [self.root] if kind in ("broadcast", "scatter") else self.ends
        last = [self.root] if kind in ("gather", "reduce") else self.ends
        names = [(a, b) for a in first for b in last] if self.moves else [(a,) for a in (first if self.copies else last)]
        names, split = [()] if kind == "allreduce" else names, self.pieces > 1 or kind in ("allreduce", "alltoallv")
        self.counts = {(a, b): count for a, b, count in what.get("counts", [])}
        names = [n + (p,) for n in names for p in range(self.counts.get(n, 0) if kind == "alltoallv" else self.pieces)] if split else names
        self.have = {n: {e: {0: {e}} for e in (n[:1] if self.moves or self.copies else self.ends)} for n in names}
        self.want = {n: self.ends if self.copies or kind == "allreduce" else [n[1 if self.moves else 0]] for n in names}

    def limit(self, way): return float(str(self.model.get(way, "inf")).replace("all", "inf"))

def distance(links, here, there):
    reached, steps = {here}, 0
    while there not in reached:
        reached, steps = reached | {head for tail, head in links if tail in reached}, steps + 1
    return steps

def gathered(slots, chosen=None):
    """What a node has in some of its slots, or in all: each contribution as often as it is there."""
    return [rank for slot, ranks in slots.items() if chosen is None or slot in chosen for rank in ranks]

def check(plan):
    problem = Problem(plan)
    links, ends, have, want, moves, copies = (getattr(problem, n) for n in "links ends have want moves copies".split())
    came, waits, stays = {}, collections.Counter(), {}
    ordered, streamed = problem.model.get("operator") == "ordered", problem.pieces > 1 and problem.model.get("chunks") == "in_order"
    stream, latest = lambda m: (m[0][:-1], m[6], m[4]), {}
    place = {e: rank for rank, e in enumerate(problem.ends)}
    gaps = lambda ends: ends and max(map(place.get, ends)) - min(map(place.get, ends)) >= len(ends)
    for number, step in enumerate(plan["steps"], 1):
        moved, used = [], collections.Counter()
        for path, blocks, op, *slots in ((t["path"], [tuple(b) for b in t["blocks"]], t.get("op"), t.get("from"), t.get("to", 0)) for t in step):
            hops, shortest = list(zip(path, path[1:])), problem.model.get("routing") == "shortest"
            if any(h not in links for h in hops) or any(b not in have for b in blocks): yield number, "no such path or block"
            elif not (hops and blocks) or (op or slots != [None, 0]) and (moves or copies): yield number, "nothing to carry, nowhere to go, or a copy"
            elif slots[0] == [] or slots[1] > 31: yield number, "no such slot"
            elif (not problem.shared and len(set(hops)) < len(hops) if problem.worms
                  else len(hops) > 1 if problem.many else len(hops + blocks) > 2): yield number, "more than one switch can do"
            elif shortest and len(hops) > distance(links, path[0], path[-1]): yield number, "a detour"
            used.update(hops)
            got = {b: gathered(have[b].get(path[0], {}), None if moves or copies else slots[0]) for b in blocks if b in have}
            moved += [(b, path[0], path[-1], got[b], op, tuple(path[:2]), tuple(path[-2:]), slots[1]) for b in blocks if b in have]
        joined = problem.many or problem.shared  # transfers on one path are one message, and arcs take any number
        if not joined and any(n > links[h] for h, n in used.items()): yield number, "a link carries more than its capacity"
        if problem.half and any(h[::-1] in used for h in used): yield number, "a half-duplex link goes both ways"
        for end, way in (0, "send_ports"), (-1, "receive_ports"):
            paths = [tuple(t["path"]) for t in step]
            busiest = max(collections.Counter(p[end] for p in (set(paths) if joined else paths)).values(), default=0)
            if busiest > problem.limit(way): yield number, f"too few {way}"
        late = [m for m in moved if streamed and latest.get(stream(m), 0) > m[0][-1]]
        for b, _, there, *_ in late: yield number, f"{b} comes to {there} after a later piece over the same link"
        latest.update({stream(m): max(latest.get(stream(m), 0), m[0][-1]) for m in sorted(moved, key=lambda m: m[0][-1]) if streamed})
        held = [not moves or have[m[0]].pop(m[1], None) for m in moved]  # before anything comes: a worm may end where it starts
        for (b, here, there, sent, op, link, _, into), there_was in zip(moved, held):
            got = set(sent)
            if ordered and gaps(got): yield number, f"{here} sends a sum to {b} of ranks that are not consecutive"
            since, over = came.get((b, here), (number, None))
            waits.update((link, late) for late in range(since + 1, number))
            if over: stays[b, here, since] = over, number
            if not got or not there_was: yield number, f"{here} sends {b}, which it has not"
            if moves and here in want[b] or copies and there in have[b] and there in want[b]: yield number, f"{b} is delivered twice"
            kept = {} if op and not into else have[b].get(there, {})  # a copy into slot 0 replaces all slots
            rest = [m for m in moved if (m[0], m[2]) == (b, there) and into in (0, m[7])]
            twice = len(rest) > 1 if op else got & kept.get(into, set())
            if (twice or len(sent) > len(got)) and not moves and not copies: yield number, f"contributions to {b} count twice at {there}"
            have[b][there] = {**kept, into: got if op else got | kept.get(into, set())}
        if ordered and any(gaps(part) for m in moved for part in have[m[0]][m[2]].values()):
            yield number, "a sum is of ranks that are not consecutive"
        came.update(((m[0], m[2]), (number, m[6])) for m in moved if m[2] not in (want[m[0]] if moves else ends))
    if problem.model.get("queues_per") == "incoming":
        kept = ((over, since, last) for (_, _, since), (over, last) in stays.items())
        waits = collections.Counter((over, late) for over, since, last in kept for late in range(since + 1, last))
    if max(waits.values(), default=0) > problem.limit("queues"): yield "end", "too many blocks wait for a link"
    full = {n: [n[0]] if moves or copies else sorted(ends) for n in have}
    yield from (("end", f"{n} is not complete at {e}") for n in have for e in want[n] if sorted(gathered(have[n].get(e, {}))) != full[n])
    for bound in (b for b in plan.get("bounds", []) if "witness" in b):
        least, stated = prove(Problem(plan), bound["witness"]), math.ceil(fractions.Fraction(bound["value"]))
        if least < stated: yield "end", f"bound {bound['name']}: {stated} steps are stated, its witness proves {least}"

def prove(problem, witness):
    """The steps that every plan takes, as far as the witness shows."""
    steps_alone = problem.worms or problem.many  # of any number of blocks: what counts transfers proves nothing
    if len(problem.ends) < 2 or steps_alone and not {"informed", *(["refutation"] * problem.many)} & {*witness}: return 0
    kinds = {"cut": by_cut, "node": by_node, "informed": by_news, "weights": by_weights, "refutation": by_refutation,
             "times": by_times}
    return next(kinds[kind](problem, data) for kind, data in witness.items() if kind in kinds)

def steps(transfers, in_a_step): return -(-transfers // int(in_a_step)) if in_a_step else 0

def used(problem, links, end):
    """How many of these links can be used in a step, by the ports of the nodes at one of their ends."""
    capacity = collections.Counter()
    for link in links: capacity[link[end]] += problem.links[link]
    return sum(min(problem.limit(("send_ports", "receive_ports")[end]), c) for c in capacity.values())

def hops(links, start, back=False):
    """From the nearest of some nodes to every other one; back: to the nearest of them."""
    found, wave, near = {}, set(start), collections.defaultdict(set)
    for a, b in links: near[b if back else a].add(a if back else b)
    while wave:
        found.update(dict.fromkeys(wave, max(found.values(), default=-1) + 1))
        wave = set().union(*(near[v] for v in wave)) - set(found)
    return found

def entering(problem, part, before, after):
    """Of blocks that somebody in the part wants, and somebody outside has (a part of): hops until they can enter, and then."""
    for b, has in problem.have.items():
        outside, inside = has.keys() - part, part & set(problem.want[b])
        if not (outside and inside): continue
        yield (0, 0) if problem.kind == "allreduce" else (max(before[o] for o in outside), max(after[i] for i in inside))

def within(blocks, in_a_step):
    """Steps of a plan in which so many cross at once, none of them in the first steps or the last, when none can."""
    best = 0
    for own in (0, 1) if blocks and in_a_step else ():
        most, idle = sorted((b[own] for b in blocks), reverse=True), min(b[1 - own] for b in blocks)
        best = max(best, max(steps(n, in_a_step) + m + idle for n, m in enumerate(most, 1)))
    return best

def by_cut(problem, inside):
    sides, links = (set(inside), set(problem.nodes) - set(inside)), problem.links
    across = [[l for l in links if l[0] not in side and l[1] in side] for side in sides]
    blocks = [list(entering(problem, side, *(hops(links, {l[end] for l in some}, end == 0) for end in (0, 1)))) if some else []
              for side, some in zip(sides, across)]
    able = [min(sum(links[l] for l in some), used(problem, some, 0), used(problem, some, 1)) for some in across]
    pairs = {frozenset(l): max(links[l], links[l[::-1]]) for some in across for l in some if problem.half}
    return max(*map(within, blocks, able), steps(sum(map(len, blocks)), sum(pairs.values())))

def by_node(problem, node):
    """Into every part that it separates from the others it must send what they want, and receive what they have."""
    nodes, parts = set(problem.nodes), []
    while left := nodes - {node} - set().union(*parts):
        part = {min(left)}
        while more := {b for l in problem.links for a, b in (l, l[::-1]) if a in part and b != node} - part: part |= more
        parts.append(part)
    to, on = hops(problem.links, [node], True), hops(problem.links, [node])
    near = [{v: max(h - 1, 0) for v, h in some.items()} for some in (to, on)]  # a block stops at a neighbour in the part
    sends = [b for p in parts for b in entering(problem, p, to, near[1])]
    receives = [b for p in parts for b in entering(problem, nodes - p, near[0], on)]
    able = [used(problem, [l for l in problem.links if l[end] == node], end) for end in (0, 1)]
    return max(within(sends, able[0]), within(receives, able[1]))

def by_news(problem, witness):
    """Who can have heard of a node, and of whom it can have heard."""
    (root, least), back = witness, problem.kind in ("gather", "reduce")
    rooted = back or problem.kind in ("broadcast", "scatter")
    if root not in problem.ends or rooted and root != problem.root: return 0
    if problem.kind == "alltoallv": return by_blocks(problem, root)
    return max(spreading(problem, root, least, b) for b in ([back] if rooted else (False, True)))

def by_blocks(problem, root):
    """How far the farthest block goes that the node has, or that is for it; and how soon so many others can have heard."""
    best, pairs = 0, [pair for pair, count in problem.counts.items() if count and pair[0] != pair[1]]
    for end, way in (0, "send_ports"), (1, "receive_ports"):
        far, known = hops(problem.links, [root], end == 1), 1
        others = [pair[1 - end] for pair in pairs if pair[end] == root]
        able = (used(problem, [l for l in problem.links if l[end] == v], end) for v in problem.nodes)
        growth, steps = 1 + (min(problem.limit(way), len(problem.nodes) - 1) if problem.shared else max(able)), 0
        while known <= len(others): known, steps = known * growth, steps + 1
        best = max(best, steps, 0 if problem.worms else max((far[v] for v in others), default=0))
    return best

def spreading(problem, root, least, back):
    """A node informs some in a step, each of them then some of its other neighbours."""
    after, before = collections.defaultdict(set), collections.defaultdict(set)
    for a, b in (l[::-1] if back else l for l in problem.links): after[a].add(b), before[b].add(a)
    able = {v: used(problem, [l for l in problem.links if l[back] == v], back) for v in problem.nodes}
    ports = min(problem.limit(("send_ports", "receive_ports")[back]), len(problem.nodes) - 1)
    a_step = int(max(ports if problem.shared else able[v] if problem.worms else min(able[v], len(after[v])) for v in able))
    later = max(len(after[v]) - (before[v] <= after[v]) for v in problem.nodes if v != root)  # one has informed it
    away = hops(problem.links, [root], back)
    least = 1 if problem.worms else max(1, least)
    wanted, reached = sum(1 for e in problem.ends if e != root and away[e] >= least), 0
    new = [{0: 1}]  # in every step: how many are informed, by the transfers on the way to them
    while reached < wanted:
        now = collections.Counter()
        for ago in range(1, len(new) + 1):
            for length, nodes in new[-ago].items():
                most = math.inf if problem.worms else later if length else len(after[root])
                now[length + 1] += nodes * max(0, min(a_step, most - (ago - 1) * a_step))
        new, reached = new + [now], reached + sum(n for length, n in now.items() if length >= least)
    most = [ports if problem.shared else able[v] for v in sorted(able, key=lambda v: (v != root, -able[v]))]  # the best first
    known, early = 1, 0
    while known < len(problem.ends) and sum(most[:known]): known, early = known + int(sum(most[:known])), early + 1
    new += [{}] * (early + 1 - len(new)) if wanted else []
    if problem.kind not in ("broadcast", "reduce") or problem.worms or not wanted: return len(new) - 1
    ports = problem.limit("receive_ports" if back else "send_ports")
    late = 0 if problem.many else (problem.pieces - 1) // int(able[root])
    return max(len(new) - 1, in_a_tree(problem, root, after, ports)) + late

def in_a_tree(problem, root, after, ports):
    """There everybody tells all neighbours but one: best the one first whose subtree takes longest."""
    if len(problem.links) != 2 * (len(problem.nodes) - 1) or any(l[::-1] not in problem.links for l in problem.links): return 0
    order, parent, below = [root], {root: None}, collections.defaultdict(list)
    for v in order:
        for w in after[v] - {parent[v]}: parent[w] = v; order.append(w)
    for v in reversed(order):
        late = max((int(i // ports) + 1 + b for i, b in enumerate(sorted(below[v], reverse=True))), default=0)
        if v in problem.ends or below[v]: below[parent[v]].append(late)
    return late

def by_weights(problem, weights):
    """What the cheapest ways of all blocks cost, over the weight of all that a step can use."""
    price, sold = collections.Counter(), collections.Counter()
    for tail, head, weight in weights.get("links", []):
        price[tail, head] = weight
        pair = (min(tail, head), max(tail, head)) if problem.half else (tail, head)
        sold[pair] = max(sold[pair], weight * problem.links[tail, head])
    for end, side in (0, "senders"), (1, "receivers"):
        for node, weight in weights.get(side, []):
            mine = [l for l in problem.links if l[end] == node]
            sold[node, side] = weight * int(used(problem, mine, end))
            for link in mine: price[link] += weight
    back = problem.kind == "gather" or not problem.moves and not problem.copies  # from where blocks go
    ways, first, last = collections.defaultdict(list), {}, {}
    for a, b in problem.links:
        ways[b if back else a].append((a if back else b, price[a, b]))
        first[a], last[b] = min(price[a, b], first.get(a, math.inf)), min(price[a, b], last.get(b, math.inf))
    hop = first if back else last
    costs = []
    for start in [problem.root] if problem.kind in ("broadcast", "scatter", "gather", "reduce") else problem.ends:
        best, waiting = {}, [(0, start)]
        while waiting:
            paid, here = heapq.heappop(waiting)
            if here in best: continue
            best[here] = paid
            for there, more in ways[here]: heapq.heappush(waiting, (paid + more, there))
        if problem.kind == "alltoallv": costs.append(sum(best[b] * n for (a, b), n in problem.counts.items() if a == start)); continue
        paid = [best[e] for e in problem.ends if e != start]  # a copied block goes to all, and over the last hop to each
        costs.append(sum(paid) if problem.moves else max(max(paid), sum(hop[e] for e in problem.ends if e != start)))
    if problem.kind == "allreduce":  # until somebody has everything all others have sent, and receive afterwards
        both = [first[e] + last[e] for e in problem.ends]
        costs = [max(*costs, sum(both) - max(both))]
    return steps(sum(costs) * problem.pieces, sum(sold.values()))

def by_refutation(problem, refutation):
    """Lemmas that follow one by one from "one port can inform all in so many steps", down to a contradiction."""
    if problem.kind != "broadcast" or problem.limit("send_ports") != 1 or len(problem.ends) < len(problem.nodes): return 0
    last, nodes, arcs = refutation["steps"], problem.nodes, sorted(problem.links)
    informed = lambda v, t: 2 * ((last + 1) * v + t)  # a literal; the next number is its negation
    over = {arc: 2 * ((last + 1) * len(nodes) + i) for i, arc in enumerate(arcs)}
    clauses = [[informed(v, 0) + (v != problem.root)] for v in nodes] + [[informed(v, last)] for v in nodes]
    clauses += [[over[a] for a in arcs if a[1] == v] for v in nodes if v != problem.root]
    clauses += [[over[a] + 1, over[b] + 1] for a in arcs for b in arcs if a < b and a[1] == b[1] != problem.root]
    for t in range(1, last + 1):
        clauses += [[informed(v, t - 1) + 1, informed(v, t)] for v in nodes]
        clauses += [[over[a] + 1, informed(a[1], t) + 1, informed(a[0], t - 1)] for a in arcs if a[1] != problem.root]
        clauses += [[over[a] + 1, over[b] + 1, informed(a[1], t) + 1, informed(b[1], t) + 1, informed(a[1], t - 1),
                     informed(b[1], t - 1)] for a in arcs for b in arcs if a < b and a[0] == b[0] and problem.root not in a[1:] + b[1:]]
    where, always = collections.defaultdict(list), set()
    for clause in clauses:
        for literal in clause: where[literal].append(clause)
    def contradicts(true, more):
        """Makes these true, too, and whatever then is the last literal of a clause that can be."""
        while more:
            literal = more.pop()
            if literal ^ 1 in true: return True
            if literal in true: continue
            true.add(literal)
            for clause in where[literal ^ 1]:
                left = [l for l in clause if l ^ 1 not in true]
                if not left: return True
                if len(left) == 1: more.append(left[0])
    refuted = contradicts(always, [c[0] for c in clauses if len(c) == 1])
    for lemma in refutation["lemmas"]:
        if not refuted and not contradicts(set(always), [l ^ 1 for l in lemma]): return 0
        if not lemma: return last + (1 if problem.many else problem.pieces)  # the last piece leaves the root so much later
        for literal in lemma: where[literal].append(lemma)
        refuted = refuted or len(lemma) == 1 and contradicts(always, list(lemma))
    return 0

def by_times(problem, times):
    """Pieces that cross, until a node needs them all, from where they count as arrived to where they do not yet."""
    if problem.kind not in ("broadcast", "reduce") or times[problem.root]: return 0
    ways = [(l[::-1] if problem.kind == "reduce" else l, capacity) for l, capacity in problem.links.items()]
    crossing = sum(capacity * max(0, times[w] - times[v] - 1) for (v, w), capacity in ways)
    return max(times[e] for e in problem.ends) if crossing < problem.pieces else 0

if __name__ == "__main__":
    found = {path: list(check(json.load(open(path)))) for path in sys.argv[1:]}
    for path, wrong in found.items(): print(f"{path}:", "; ".join(f"step {n}: {text}" for n, text in wrong) or "right")
    sys.exit(any(found.values()))
