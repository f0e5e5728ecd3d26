"""How many blocks wait for one link, or wait that came over one link."""
import collections


class Queues:
    def __init__(self, problem):
        self.problem, self.incoming = problem, problem.model.get("queues_per") == "incoming"
        self.came = {}  # by block and node: when it came to a node where it must not stay, and over which link
        self.left = {}  # by block, node and when it came: over which link it came, and when it left for the last time
        self.waits = collections.Counter()  # by link and step

    def follow(self, number, step):
        moved = [(block, t["path"]) for t in step for block in map(tuple, t["blocks"]) if block in self.problem.have]
        for block, path in moved:
            since, over = self.came.get((block, path[0]), (number, None))
            self.waits.update((tuple(path[:2]), late) for late in range(since + 1, number))
            if over:
                self.left[block, path[0], since] = over, number
        for block, path in moved:
            if path[-1] not in (self.problem.want[block] if self.problem.moves else self.problem.ends):
                self.came[block, path[-1]] = number, tuple(path[-2:])

    def wrong_in_the_end(self):
        if self.incoming:
            self.waits.clear()
            for (_, _, since), (over, last) in self.left.items():
                self.waits.update((over, late) for late in range(since + 1, last))
        if max(self.waits.values(), default=0) > self.problem.limit("queues"):
            yield "too many blocks wait for a link"
