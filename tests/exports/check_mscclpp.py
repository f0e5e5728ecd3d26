#!/usr/bin/env python3
"""Runs execution plans of msccl++ as its executor would, in random orders: check_mscclpp.py FILE...

A put is seen by the receiver once its signal is; a wait takes a signal of the channel's other end, and semaphores count. Within a
thread block the threads run on until a nop holds them together: a signal or a release before it tells nothing of what other threads
wrote, and what is read after a wait without a nop is read too soon. What comes before what is followed with vector clocks: two
operations that touch one chunk, one of them writing, must have an order. Limits are those of execution_common.hpp.
"""
import json
import random
import sys
from collections import Counter, defaultdict, deque

from gpu_collectives import Wrong, need, wanted


class Block:
    def __init__(self, gpu, tb):
        self.gpu, self.id, self.ops = gpu, tb["id"], tb["ops"]
        need(0 < len(self.ops) <= 64, f"gpu {gpu['id']}, block {self.id}: {len(self.ops)} operations")
        self.channels = [c for entry in tb["channels"] for c in entry["channel_ids"] if entry["channel_type"] == "port"]
        self.remote = [gpu["remote_buffers"][b] for entry in tb["remote_buffer_refs"] for b in entry["remote_buffer_ids"]]
        need(len(self.channels) <= 16 and len(self.remote) <= 16, "too many channels or buffers")
        self.at = 0
        self.clock = Counter()
        self.held = Counter()  # what all threads know: the clock at the last nop
        self.first_thread = Counter()  # what the first threads, which wait and acquire, know


def run(plan, seed):
    rng = random.Random(seed)
    gpus = plan["gpus"]
    need(all(g["id"] == r for r, g in enumerate(gpus)), "GPUs are in the order of ranks")
    need(plan["buffer_alignment"] == 16 and not plan["inplace"] and plan["protocol"] == "Simple", "head")
    need(len({(g["input_chunks"], g["output_chunks"]) for g in gpus}) == 1, "buffers of several lengths")
    inputs, outputs = gpus[0]["input_chunks"], gpus[0]["output_chunks"]
    need(inputs > 0 and outputs > 0, "a buffer without chunks")
    sizes = [{"i": inputs, "o": outputs, "s": g["scratch_chunks"]} for g in gpus]
    reference = outputs if plan["collective"] == "allgather" else inputs
    most = max(max(s.values()) for s in sizes)
    need(plan["max_message_size"] // reference * most < 2**32, "offsets beyond 32 bits")
    blocks = [Block(g, tb) for g in gpus for tb in g["threadblocks"]]
    for g in gpus:
        need(len(g["threadblocks"]) <= 108 and [tb["id"] for tb in g["threadblocks"]] == list(range(len(g["threadblocks"]))),
             "thread blocks")
    # The k-th channel of a to b is the k-th of b to a.
    peers = [g["channels"][0]["connected_to"] if g["channels"] else [] for g in gpus]
    ends = {}
    for a, connected in enumerate(peers):
        for number, b in enumerate(connected):
            need(a != b, "nobody talks to itself")
            k = connected[:number].count(b)
            others = [i for i, peer in enumerate(peers[b]) if peer == a]
            need(k < len(others), f"a channel of {a} to {b} has no other end")
            ends[a, number] = (b, others[k])
    signals = defaultdict(deque)  # (gpu, channel) -> clocks, of what its other end signalled
    semaphores = defaultdict(deque)
    for g in gpus:
        need(all(s["init_value"] == 0 for s in g["semaphores"]), "semaphores begin with 0")
    memory = [{("i", c): Counter([(r, c)]) for c in range(inputs)} for r in range(len(gpus))]
    if plan["collective"] == "broadcast":
        memory = [m if r == 0 else {} for r, m in enumerate(memory)]
    uses = [defaultdict(lambda: [None, []]) for _ in gpus]

    def touch(gpu, buffer, offset, count, writes, key, number, clock):
        for chunk in range(offset, offset + count):
            need(0 <= chunk < sizes[gpu][buffer], f"gpu {gpu}: {buffer}[{chunk}] is outside")
            need(not (writes and buffer == "i"), f"gpu {gpu}: writes to its input")
            writer, readers = uses[gpu][buffer, chunk]
            for other, n in ([writer] if writer else []) + (readers if writes else []):
                need(clock[other] > n, f"gpu {gpu}: {buffer}[{chunk}] is touched in no order, by {other} and {key} at {number}")
            here = (key, number)
            uses[gpu][buffer, chunk] = [here, []] if writes else [writer, readers + [here]]

    def read(gpu, chunk):
        out = []
        for i in range(chunk["size"]):
            need((chunk["type"], chunk["index"] + i) in memory[gpu], f"gpu {gpu}: reads {chunk}, which is not there")
            out.append(memory[gpu][chunk["type"], chunk["index"] + i])
        return out

    def ready(block):
        if block.at == len(block.ops):
            return False
        op = block.ops[block.at]
        if op["name"] == "wait":
            return all(signals[block.gpu["id"], block.channels[c]] for c in op["channel_ids"])
        if op["name"] == "sem_acquire":
            return all(semaphores[block.gpu["id"], s] for s in op["semaphore_ids"])
        return True

    def step(block):
        op, gpu = block.ops[block.at], block.gpu["id"]
        key, number = (gpu, block.id), block.at
        block.at += 1
        block.clock[key] = block.at
        name = op["name"]
        if name == "nop":
            block.held = block.held | block.first_thread | block.clock
            block.first_thread = Counter(block.held)
        elif name == "wait":
            for c in op["channel_ids"]:
                block.first_thread |= signals[gpu, block.channels[c]].popleft()
        elif name == "sem_acquire":
            need(len(op["semaphore_ids"]) <= 16, "too many semaphores")
            for s in op["semaphore_ids"]:
                need(s < len(block.gpu["semaphores"]), "no such semaphore")
                block.first_thread |= semaphores[gpu, s].popleft()
        elif name == "signal":
            for c in op["channel_ids"]:
                signals[ends[gpu, block.channels[c]]].append(Counter(block.first_thread))
        elif name == "sem_release":
            for s in op["semaphore_ids"]:
                semaphores[gpu, s].append(Counter(block.first_thread))
        elif name == "pwsf":
            source, target = op["src_buff"][0], op["dst_buff"][0]
            remote = block.remote[target["buffer_id"]]
            channel = block.channels[op["channel_ids"][0]]
            need(ends[gpu, channel][0] == remote["rank"], "puts to another rank than its channel's")
            need(source["size"] == target["size"], "a put of two lengths")
            # Done by the first thread, and over when the operation is.
            values = read(gpu, source)
            touch(gpu, source["type"], source["index"], source["size"], False, key, number, block.first_thread)
            touch(remote["rank"], remote["type"], target["index"], target["size"], True, key, number, block.first_thread)
            for i, value in enumerate(values):
                memory[remote["rank"]][remote["type"], target["index"] + i] = value
            block.first_thread[key] = block.at
            signals[ends[gpu, channel]].append(Counter(block.first_thread))
        elif name in ("copy", "re"):
            target, sources = op["dst_buff"][0], op["src_buff"]
            need(len(sources) == (2 if name == "re" else 1), f"{name} of {len(sources)}")
            need(all(s["size"] == target["size"] for s in sources), f"{name} of two lengths")
            columns = [read(gpu, s) for s in sources]
            known = Counter(block.held)
            for s in sources:
                touch(gpu, s["type"], s["index"], s["size"], False, key, number, known)
            known[key] = block.at
            touch(gpu, target["type"], target["index"], target["size"], True, key, number, known)
            for i, values in enumerate(zip(*columns)):
                memory[gpu][target["type"], target["index"] + i] = sum(values, Counter())
        else:
            raise Wrong(f"no operation {name}")

    while True:
        able = [b for b in blocks if ready(b)]
        if not able:
            break
        block = rng.choice(able)
        for _ in range(rng.randint(1, 6)):
            if not ready(block):
                break
            step(block)
    for block in blocks:
        need(block.at == len(block.ops), f"gpu {block.gpu['id']}, block {block.id} hangs at {block.at}: {block.ops[block.at:][:1]}")
    need(not any(signals.values()) and not any(semaphores.values()), "signals are left over, so a second call would go wrong")
    coll = plan["collective"]
    per = (outputs if coll == "allgather" else inputs) // (len(gpus) if coll in ("allgather", "alltoall", "reducescatter") else 1)
    for gpu in range(len(gpus)):
        for chunk, value in wanted(coll, gpu, per, len(gpus), 0).items():
            found = memory[gpu].get(("o", chunk))
            need(found == value, f"gpu {gpu}: o[{chunk}] is {found} and should be {value}")


for path in sys.argv[1:]:
    try:
        with open(path) as file:
            plan = json.load(file)
        for seed in range(3):
            run(plan, seed)
    except Wrong as wrong:
        print(f"{path}: {wrong}")
        sys.exit(1)
print("all right")
