"""A refutation: lemmas that follow one by one from "one port can inform all in so many steps", to a contradiction."""
import collections, itertools


def by_refutation(problem, refutation):
    if problem.kind != "broadcast" or problem.limit("send_ports") != 1 or len(problem.ends) < len(problem.nodes):
        return 0
    formula = Formula(possible(problem, refutation["steps"]))
    for lemma in refutation["lemmas"]:
        if not formula.follows(lemma):
            return 0
        if not lemma:  # refuted; and the last piece leaves the root so much later
            return refutation["steps"] + (1 if problem.many else problem.pieces)
        formula.add(lemma)
    return 0


def possible(problem, last):
    """The clauses. A literal is an even number, and the next one its negation."""
    nodes, root, arcs = problem.nodes, problem.root, sorted(problem.links)
    informed = lambda v, t: 2 * ((last + 1) * v + t)
    over = {arc: 2 * ((last + 1) * len(nodes) + i) for i, arc in enumerate(arcs)}
    into, out_of = collections.defaultdict(list), collections.defaultdict(list)
    for tail, head in arcs:
        if head != root:
            into[head].append((tail, head)), out_of[tail].append((tail, head))
    for v in nodes:
        yield [informed(v, 0) + (v != root)]
        yield [informed(v, last)]
        yield from ([informed(v, t - 1) + 1, informed(v, t)] for t in range(1, last + 1))
        if v != root:
            yield [over[arc] for arc in into[v]]
        yield from ([over[a] + 1, over[b] + 1] for a, b in itertools.combinations(into[v], 2))
        for a, t in itertools.product(into[v], range(1, last + 1)):
            yield [over[a] + 1, informed(v, t) + 1, informed(a[0], t - 1)]
        for (a, b), t in itertools.product(itertools.combinations(out_of[v], 2), range(1, last + 1)):
            yield [over[a] + 1, over[b] + 1, informed(a[1], t) + 1, informed(b[1], t) + 1, informed(a[1], t - 1),
                   informed(b[1], t - 1)]


class Formula:
    """Clauses, and what follows from them by unit propagation: a clause is looked at when one of two of its literals, the
    first two, becomes false; if no other can take its place, the other one of them must be true."""

    def __init__(self, clauses):
        self.watched, self.true, self.refuted = collections.defaultdict(list), set(), False
        for clause in clauses:
            self.add(clause)

    def add(self, clause):
        clause = sorted(set(clause), key=lambda literal: literal ^ 1 in self.true)  # what can be true first
        for literal in clause[:2]:
            self.watched[literal].append(clause)
        if len([literal for literal in clause[:2] if literal ^ 1 not in self.true]) < 2:
            self.refuted = self.refuted or self.contradicts(clause[:1], [])

    def follows(self, lemma):
        trail = []
        contradiction = self.refuted or self.contradicts([literal ^ 1 for literal in lemma], trail)
        self.true.difference_update(trail)
        return contradiction

    def contradicts(self, more, trail):
        """Makes these true, too, and whatever then must be."""
        while more:
            literal = more.pop()
            if literal ^ 1 in self.true:
                return True
            if literal not in self.true:
                self.true.add(literal)
                trail.append(literal)
                self.watched[literal ^ 1] = [c for c in self.watched[literal ^ 1] if self.stays(c, literal ^ 1, more)]
        return False

    def stays(self, clause, false, more):
        if clause[0] == false:
            clause[0], clause[1] = clause[1], false
        if clause[0] in self.true:
            return True
        for i in range(2, len(clause)):
            if clause[i] ^ 1 not in self.true:
                clause[1], clause[i] = clause[i], false
                self.watched[clause[1]].append(clause)
                return False
        more.append(clause[0])
        return True
