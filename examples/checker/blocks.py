"""Who has what: nobody sends what he has not, no block is delivered twice, and no contribution counts twice."""
import collections

Sent = collections.namedtuple("Sent", "block here there got replaces last_link slot")


def gathered(slots, chosen=None):
    """What a node has in some of its slots, or in all: each contribution as often as it is there."""
    return [rank for slot, ranks in slots.items() if chosen is None or slot in chosen for rank in ranks]


class Blocks:
    def __init__(self, problem):
        self.problem, self.have, self.latest = problem, problem.have, {}
        self.whole = problem.moves or problem.copies
        self.ordered = problem.model.get("operator") == "ordered"
        self.in_order = problem.pieces > 1 and problem.model.get("chunks") == "in_order"
        self.rank = {end: rank for rank, end in enumerate(problem.ends)}

    def wrong_in(self, step):
        sent = []
        for t in step:  # all of them leave on the state before the step
            path, chosen = t["path"], None if self.whole else t.get("from")
            for block in (b for b in map(tuple, t["blocks"]) if b in self.have):
                got = gathered(self.have[block].get(path[0], {}), chosen)
                sent.append(Sent(block, path[0], path[-1], got, t.get("op"), tuple(path[-2:]), t.get("to", 0)))
        if self.in_order:
            yield from self.out_of_order(sent)
        held = [not self.problem.moves or self.have[s.block].pop(s.here, None) for s in sent]
        for s, was_there in zip(sent, held):
            if self.ordered and self.has_gaps(set(s.got)):
                yield f"{s.here} sends a sum to {s.block} of ranks that are not consecutive"
            if not s.got or not was_there:
                yield f"{s.here} sends {s.block}, which it has not"
            yield from self.twice_whole(s) if self.whole else self.twice_in_sum(s, sent)
            kept = {} if s.replaces and not s.slot else self.have[s.block].get(s.there, {})  # slot 0 replaces all
            added = set(s.got) if s.replaces else set(s.got) | kept.get(s.slot, set())
            self.have[s.block][s.there] = {**kept, s.slot: added}
        if self.ordered and any(self.has_gaps(part) for s in sent for part in self.have[s.block][s.there].values()):
            yield "a sum is of ranks that are not consecutive"

    def twice_whole(self, s):
        wanted, had = self.problem.want[s.block], self.have[s.block]
        at_home = s.here in wanted if self.problem.moves else s.there in wanted and s.there in had
        if at_home:
            yield f"{s.block} is delivered twice"

    def twice_in_sum(self, s, sent):
        others = [o for o in sent if (o.block, o.there) == (s.block, s.there) and s.slot in (0, o.slot)]
        there = self.have[s.block].get(s.there, {}).get(s.slot, set())
        if len(s.got) > len(set(s.got)) or (len(others) > 1 if s.replaces else not there.isdisjoint(s.got)):
            yield f"contributions to {s.block} count twice at {s.there}"

    def out_of_order(self, sent):
        """Pieces that come over a link after a later one of their block."""
        stream = lambda s: (s.block[:-1], s.last_link, s.replaces)
        for s in sent:
            if self.latest.get(stream(s), 0) > s.block[-1]:
                yield f"{s.block} comes to {s.there} after a later piece over the same link"
        for s in sent:
            self.latest[stream(s)] = max(self.latest.get(stream(s), 0), s.block[-1])

    def has_gaps(self, ends):
        ranks = [self.rank[end] for end in ends]
        return ranks and max(ranks) - min(ranks) >= len(ranks)

    def wrong_in_the_end(self):
        for block, wanted in self.problem.want.items():
            full = [block[0]] if self.whole else sorted(self.problem.ends)
            for end in wanted:
                if sorted(gathered(self.have[block].get(end, {}))) != full:
                    yield f"{block} is not complete at {end}"
