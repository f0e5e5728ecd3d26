#!/usr/bin/env python3
"""Runs files of MSCCL's XML and holds what they leave behind against the collective: check_msccl.py FILE...

Thread blocks run in random orders; a send lasts until it is received, so a file that could hang for lack of buffers hangs
here. Which steps come before which is followed with vector clocks: two steps that touch one chunk, one of them writing,
must have an order, whatever order they happened to run in. The limits of MSCCL are held to, too.
"""
import random
import sys
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict

from gpu_collectives import Wrong, need, wanted


class Gpu:
    def __init__(self, element, gpus):
        self.id = int(element.get("id"))
        self.sizes = {b: int(element.get(b + "_chunks")) for b in "ios"}
        self.blocks = []
        need(len(element) <= 216, f"gpu {self.id} has {len(element)} thread blocks")
        for tb in element:
            steps = [dict(step.attrib) for step in tb]
            block = {"send": int(tb.get("send")), "recv": int(tb.get("recv")), "chan": int(tb.get("chan")), "steps": steps}
            need(int(tb.get("id")) == len(self.blocks), "thread blocks are numbered from 0")
            need(0 < len(steps) <= 255 and block["chan"] < 32, f"gpu {self.id}, thread block {tb.get('id')}: limits")
            need(self.id not in (block["send"], block["recv"]), "nobody talks to itself")
            for number, step in enumerate(steps):
                need(int(step["s"]) == number, "steps are numbered from 0")
                for key in ("srcoff", "dstoff", "cnt", "depid", "deps", "hasdep"):
                    step[key] = int(step[key])
                need(step["cnt"] <= 71, "too many chunks")
                if step["type"] == "nop":
                    need(number + 1 < len(steps) and steps[number + 1]["depid"] not in ("-1", -1), "a nop before nothing")
            self.blocks.append(block)
        need(1 + gpus + len(self.blocks) + sum(len(b["steps"]) for b in self.blocks) <= 4096, "too many elements")
        for block in self.blocks:
            for step in block["steps"]:
                if step["depid"] >= 0:
                    need(self.blocks[step["depid"]]["steps"][step["deps"]]["hasdep"] == 1, "waits for a step without hasdep")


def inputs(coll, gpu, chunks, per, gpus):
    """What lies where first: chunk -> Counter of (rank, name)."""
    return {("i", c): Counter([(gpu, c)]) for c in range(chunks)}


def run(path, seed):
    rng = random.Random(seed)
    algo = ET.parse(path).getroot()
    for key in ("minBytes", "maxBytes", "outofplace", "inplace", "proto", "nchannels"):
        need(algo.get(key) is not None, f"{key} is missing")
    gpus = [Gpu(element, len(algo)) for element in algo]
    need(len(gpus) == int(algo.get("ngpus")), "ngpus")
    coll, loop = algo.get("coll"), int(algo.get("nchunksperloop"))
    per = loop // len(gpus) if coll in ("allgather", "alltoall", "reducescatter") else loop
    whole = per * len(gpus) if coll in ("gather", "scatter") else loop
    for gpu in gpus:
        for b, parts in (("i", ("allgather", "gather")), ("o", ("reducescatter", "scatter"))):
            need(gpu.sizes[b] in (0, per if coll in parts else whole), f"gpu {gpu.id}: {b}_chunks is {gpu.sizes[b]}")
        for name in ("send", "recv"):
            ends = Counter((b[name], b["chan"]) for b in gpu.blocks if b[name] >= 0)
            need(not ends or max(ends.values()) == 1, "two thread blocks of one connection")
            per_channel = Counter(channel for _, channel in ends)
            need(not ends or max(per_channel.values()) <= 32, "more than 32 peers on a channel")
    memory = [dict(inputs(coll, g.id, g.sizes["i"], per, len(gpus))) for g in gpus]
    uses = [defaultdict(lambda: [None, []]) for _ in gpus]  # chunk -> writer, readers; clocks
    at = {(g.id, t): 0 for g in gpus for t in range(len(g.blocks))}
    clocks = {key: Counter() for key in at}
    sender = {(g.id, b["send"], b["chan"]): (g.id, t) for g in gpus for t, b in enumerate(g.blocks) if b["send"] >= 0}

    def step_of(key):
        steps = gpus[key[0]].blocks[key[1]]["steps"]
        return steps[at[key]] if at[key] < len(steps) else None

    def may(key):
        step = step_of(key)
        return step is not None and (step["depid"] < 0 or at[key[0], step["depid"]] > step["deps"])

    done = {}

    def touch(key, buffer, offset, count, writes, clock):
        for chunk in range(offset, offset + count):
            need(0 <= chunk < gpus[key[0]].sizes[buffer], f"gpu {key[0]}: {buffer}[{chunk}] is outside")
            writer, readers = uses[key[0]][buffer, chunk]
            for other, number in ([writer] if writer else []) + (readers if writes else []):
                need(clock[other] > number, f"gpu {key[0]}: {buffer}[{chunk}] is touched in no order, by {other} and {key}")
            here = (key, at[key])
            uses[key[0]][buffer, chunk] = [here, []] if writes else [writer, readers + [here]]

    def begin(key):
        step = step_of(key)
        clock = Counter(clocks[key])
        if step["depid"] >= 0:
            clock |= done[key[0], step["depid"], step["deps"]]
        return step, clock

    def end(key, clock):
        clock[key] = at[key] + 1
        done[key[0], key[1], at[key]] = clock
        clocks[key] = clock
        at[key] += 1

    def read(key, step, clock):
        touch(key, step["srcbuf"], step["srcoff"], step["cnt"], False, clock)
        out = []
        for i in range(step["cnt"]):
            need((step["srcbuf"], step["srcoff"] + i) in memory[key[0]], f"gpu {key[0]}: sends what is not there")
            out.append(memory[key[0]][step["srcbuf"], step["srcoff"] + i])
        return out

    def write(key, step, clock, values):
        touch(key, step["dstbuf"], step["dstoff"], step["cnt"], True, clock)
        for i, value in enumerate(values):
            memory[key[0]][step["dstbuf"], step["dstoff"] + i] = value

    keys = list(at)
    while True:
        ready = []
        for key in keys:
            if not may(key):
                continue
            kind, block = step_of(key)["type"], gpus[key[0]].blocks[key[1]]
            if kind in ("r", "rrc"):
                other = sender.get((block["recv"], key[0], block["chan"]))
                need(other is not None, f"gpu {key[0]} receives from {block['recv']}, which sends it nothing")
                if may(other) and step_of(other)["type"] == "s":
                    ready.append((key, other))
            elif kind != "s":
                ready.append((key, None))
        if not ready:
            break
        key, other = rng.choice(ready)
        step, clock = begin(key)
        if other:
            sent, sent_clock = begin(other)
            values = read(other, sent, sent_clock)
            need(len(values) == step["cnt"], "a message of two lengths")
            if step["type"] == "rrc":
                need((step["srcbuf"], step["srcoff"]) == (step["dstbuf"], step["dstoff"]), "rrc elsewhere")
                values = [memory[key[0]].get((step["dstbuf"], step["dstoff"] + i), Counter()) + v for i, v in enumerate(values)]
            else:
                need((step["srcbuf"], step["srcoff"]) == (sent["srcbuf"], sent["srcoff"]), "another source than the sender's")
            need((step["dstbuf"], step["dstoff"]) == (sent["dstbuf"], sent["dstoff"]), "another place than the sender's")
            end(other, sent_clock)
            clock |= sent_clock
            write(key, step, clock, values)
        elif step["type"] == "cpy":
            write(key, step, clock, read(key, step, clock))
        elif step["type"] == "re":
            values = read(key, step, clock)
            write(key, step, clock, [memory[key[0]].get((step["dstbuf"], step["dstoff"] + i), Counter()) + v
                                     for i, v in enumerate(values)])
        else:
            need(step["type"] == "nop", f"no type {step['type']}")
        end(key, clock)
    for key in keys:
        need(step_of(key) is None, f"gpu {key[0]}, thread block {key[1]} hangs in step {at[key]}")
    for gpu in gpus:
        for chunk, value in wanted(coll, gpu.id, per, len(gpus), 0).items():
            found = memory[gpu.id].get(("o", chunk))
            need(found == value, f"gpu {gpu.id}: o[{chunk}] is {found} and should be {value}")


for path in sys.argv[1:]:
    if path == "--":
        continue
    try:
        for seed in range(3):
            run(path, seed)
    except Wrong as wrong:
        print(f"{path}: {wrong}")
        sys.exit(1)
print("all right")
