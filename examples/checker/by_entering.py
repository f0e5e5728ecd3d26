"""Parts that no cheap link leads into: what copies, or sums, pay to come into them, or out of them."""
import collections


def paid_into_parts(problem, price):
    """A price is paid in slices: so much of it for every link that costs more than so much."""
    back = {link[::-1]: price[link] for link in problem.links}
    if problem.kind == "allreduce":  # what leaves parts is counted of those that are entered, or of all
        return max(paid_one_way(problem, price, False), paid_one_way(problem, back, False), paid_one_way(problem, price, True))
    return paid_one_way(problem, back if problem.kind in ("reduce", "reduce_scatter") else price, False)


def paid_one_way(problem, price, leaving):
    paid, below = 0, 0
    for level in sorted({price[link] for link in price} - {0}):
        paid += (level - below) * entries(problem, {link for link, cost in price.items() if cost >= level}, set(price), leaving)
        below = level
    return paid


def entries(problem, dear, links, leaving):
    paid, again = 0, True
    while again:
        part = parts(problem.nodes, links - dear)
        between = [(part[tail], part[head], (tail, head) in dear) for tail, head in links if part[tail] != part[head]]
        sources = set(part.values()) - {head for _, head, costs in between if not costs}
        wanting = collections.Counter(part[e] for e in problem.ends if part[e] in sources)
        sending = ({part[e] for e in problem.ends} if leaving else wanting.keys()) - {tail for tail, _, costs in between if not costs}
        paid += paid_by_blocks(problem, part, wanting, sending)
        left = sending if problem.kind == "allreduce" and (leaving or len(sending) > 1) else set()  # is counted, too
        over = {link for link in dear if part[link[0]] != part[link[1]] and (part[link[1]] in sources or part[link[0]] in left)}
        dear, again = dear - over, bool(over)
    return paid


def paid_by_blocks(problem, part, wanting, sending):
    if problem.kind == "allreduce":  # all but one have sent before the first has everything, and all but one receive then
        return max(len(wanting) + len(sending) - (2 if wanting.keys() & sending else 1), 0)
    begins = [problem.root] if problem.kind in ("broadcast", "reduce") else problem.ends
    return sum(len(wanting) - (part[e] in wanting) for e in begins)


def parts(nodes, links):
    """A number for every node: the same for those that lead to each other."""
    after, before, number = collections.defaultdict(list), collections.defaultdict(list), {}
    for tail, head in links:
        after[tail].append((tail, head)), before[head].append((tail, head))
    for start in nodes:
        if start not in number:
            there, back = reached(after, start, 1), reached(before, start, 0)
            number.update(dict.fromkeys(there & back, start))
    return number


def reached(near, start, end):
    found, waiting = {start}, [start]
    for here in waiting:
        new = {link[end] for link in near[here]} - found
        found |= new
        waiting.extend(new)
    return found
