"""What a plan is for: the links, the blocks that somebody has and somebody wants, and what the model allows."""
import collections


class Problem:
    def __init__(self, plan):
        net, what, model = plan["topology"], plan["collective"], plan.get("model", {})
        self.links = collections.Counter()  # the capacity of each, by tail and head
        for tail, head, *capacity in net["links"]:
            self.links[tail, head] += (capacity or [1])[0]
        self.nodes = range(net.get("nodes", 1 + max((max(link) for link in self.links), default=0)))
        self.ends = net.get("endpoints", self.nodes)

        self.model, switching = model, model.get("switching", "packet")
        self.worms, self.shared = switching != "packet", switching == "shared"
        self.many, self.half = model.get("packets") == "many", model.get("duplex") == "half"

        self.kind, root = what["kind"], what.get("root")
        self.pieces, self.root = what.get("pieces", 1), self.ends[0] if root is None else root
        self.moves = self.kind in ("scatter", "gather", "alltoall", "alltoallv")
        self.copies = self.kind in ("broadcast", "allgather")
        self.counts = {(a, b): count for a, b, count in what.get("counts", [])}
        whole = self.moves or self.copies  # else sums, to which every endpoint has a contribution
        self.have, self.want = {}, {}  # have: by block, node and slot the contributions that are there
        for name in self.names():
            self.have[name] = {e: {0: {e}} for e in (name[:1] if whole else self.ends)}
            everywhere = self.copies or self.kind == "allreduce"
            self.want[name] = self.ends if everywhere else [name[1 if self.moves else 0]]

        self.sides = next((w["order"][1:] for b in plan.get("bounds", []) if "order" in (w := b.get("witness", {}))), [])

    def names(self):
        """From where, to where, which piece: as far as blocks of the kind differ in it."""
        first = [self.root] if self.kind in ("broadcast", "scatter") else self.ends
        last = [self.root] if self.kind in ("gather", "reduce") else self.ends
        names = [(a, b) for a in first for b in last] if self.moves else [(a,) for a in (first if self.copies else last)]
        if self.kind == "alltoallv":
            return [pair + (p,) for pair in names for p in range(self.counts.get(pair, 0))]
        if self.kind == "allreduce":
            return [(p,) for p in range(self.pieces)]
        return [name + (p,) for name in names for p in range(self.pieces)] if self.pieces > 1 else names

    def limit(self, what):
        """Of send_ports, receive_ports or queues."""
        return float(str(self.model.get(what, "inf")).replace("all", "inf"))
