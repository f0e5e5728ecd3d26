#!/usr/bin/env python3
"""Runs what ranks send each other, as GOAL or as traces of Chakra (PREFIX.0.et and on, read by protoc), and asks who has
heard of whom in the end: check_messages.py COLLECTIVE FILE.goal|PREFIX

Every send must have its receive, of one size, and both begin when what they wait for is over; a send lasts until it is
received. Whoever gets a block must come after the one who had it, along messages and waits: a lost dependency breaks that.
"""
import glob
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path


class Wrong(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Wrong(what)


def goal(path):
    """[{label: (kind, peer, tag, size, [labels before])}] of the ranks."""
    number, ranks, current = r"\d+", [], None
    operation = re.compile(rf"([a-zA-Z][a-zA-Z0-9_]*): (?:(send) ({number})b to ({number})|(recv) ({number})b from ({number})|(calc) ({number}))"
                           rf"( tag {number})?( cpu {number})?( nic {number})?")
    for line in path.read_text().splitlines():
        if not line or line.startswith("//") or line.startswith("num_ranks "):
            if line.startswith("num_ranks "):
                announced = int(line.split()[1])
            continue
        if opened := re.fullmatch(rf"rank ({number}) {{", line):
            need(current is None and int(opened[1]) == len(ranks), line)
            current = {}
        elif line == "}":
            ranks.append(current)
            current = None
        elif waits := re.fullmatch(r"(\w+) requires (\w+)", line):
            need(waits[1] in current and waits[2] in current, f"a label is used before it is there: {line}")
            current[waits[1]][4].append(waits[2])
        else:
            found = operation.fullmatch(line)
            need(found and found[1] not in current, f"no operation: {line}")
            kind = found[2] or found[5] or found[8]
            tag = int(found[10].split()[1]) if found[10] else 0
            current[found[1]] = (kind, int(found[4] or found[7] or 0), tag, int(found[3] or found[6] or 0), [])
    need(current is None and announced == len(ranks), "ranks are missing")
    return ranks


def framed(data):
    """The messages of a stream, each of which has its length before it."""
    at = 0
    while at < len(data):
        length = shift = 0
        while True:
            byte = data[at]
            at += 1
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        yield data[at : at + length]
        at += length
    need(at == len(data), "the last message is cut off")


def varint(value):
    out = b""
    while value >= 128:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def chakra(prefix):
    ranks = []
    here = Path(__file__).parent
    for number in range(len(glob.glob(glob.escape(str(prefix)) + ".*.et"))):
        messages = list(framed(Path(f"{prefix}.{number}.et").read_bytes()))
        trace = b"".join(varint((2 if i else 1) << 3 | 2) + varint(len(m)) + m for i, m in enumerate(messages))
        text = subprocess.run(["protoc", "--decode=Trace", f"--proto_path={here}", f"{here}/chakra.proto"], input=trace, capture_output=True, check=True).stdout.decode()
        need(not re.search(r"^\s*\d+[: ]", text, re.M), f"fields that the schema does not have:\n{text}")
        need('version: "0.0.4"' in text, "no version")
        current = {}
        for node in re.split(r"^nodes {$", text, flags=re.M)[1:]:
            one = re.search(r"^  id: (\d+)$", node, re.M)
            attributes = dict(re.findall(r'name: "(\w+)"\n    \w+_val: (\w+)', node))
            kind = {"COMM_SEND_NODE": "send", "COMM_RECV_NODE": "recv", "COMP_NODE": "calc"}[re.search(r"^  type: (\w+)$", node, re.M)[1]]
            need(attributes["is_cpu_op"] == "false", "an operation of the CPU")
            before = re.findall(r"^  data_deps: (\d+)$", node, re.M)
            label = one[1] if one else "0"
            need(label not in current and all(b in current for b in before), f"node {label} waits for what is not there")
            ends = [int(attributes.get("comm_" + end, number)) for end in ("src", "dst")]
            need(kind == "calc" or ends[kind == "recv"] == number, f"node {label} is not this rank's")
            current[label] = (kind, ends[kind == "send"], int(attributes.get("comm_tag", 0)), int(attributes.get("comm_size", 0)), before)
        ranks.append(current)
    return ranks


def run(ranks):
    """Who has heard of whom when all is over."""
    posted = {}
    for rank, operations in enumerate(ranks):
        for label, (kind, peer, tag, size, _) in operations.items():
            if kind != "calc":
                key = (kind, *((rank, peer) if kind == "send" else (peer, rank)), tag)
                need(key not in posted, f"two messages of one tag: {key}")
                posted[key] = (rank, label, size)
    over, heard = set(), {}
    todo = [(rank, label) for rank, operations in enumerate(ranks) for label in operations]
    while todo:
        left = []
        for rank, label in todo:
            kind, peer, tag, _, before = ranks[rank][label]
            if (rank, label) in over:
                continue
            pair = [(rank, label)]
            if kind != "calc":
                ends = (rank, peer, tag) if kind == "send" else (peer, rank, tag)
                need(("send", *ends) in posted and ("recv", *ends) in posted, f"rank {rank}, {label}: nobody at the other end")
                sender, receiver = posted[("send", *ends)], posted[("recv", *ends)]
                need(sender[2] == receiver[2], f"rank {rank}, {label}: two sizes")
                pair = [sender[:2], receiver[:2]]
            if any((r, b) not in over for r, l in pair for b in ranks[r][l][4]):
                left.append((rank, label))
                continue
            known = [frozenset({r}).union(*(heard[r, b] for b in ranks[r][l][4])) for r, l in pair]
            over.update(pair)
            heard[pair[0]] = known[0]
            heard[pair[-1]] = frozenset().union(*known)
        need(len(left) < len(todo), f"all wait: {left[:3]}")
        todo = left
    out = [set() for _ in ranks]
    for (rank, _), known in heard.items():
        out[rank] |= known
    return out


def main():
    collective, path = sys.argv[1], Path(sys.argv[2])
    ranks = goal(path) if path.suffix == ".goal" else chakra(path)
    need(len(ranks) > 1, f"no ranks in {path}")
    everybody = set(range(len(ranks)))
    for rank, heard in enumerate(run(ranks)):
        wanted = everybody
        if collective in ("broadcast", "scatter"):
            wanted = {0}
        elif collective in ("gather", "reduce") and rank != 0:
            wanted = set()
        need(wanted <= heard, f"rank {rank} has not heard of {sorted(wanted - heard)}")
    sizes = defaultdict(int)
    for operations in ranks:
        for kind, _, _, size, _ in operations.values():
            sizes[kind] += size
    print(path, len(ranks), "ranks,", sizes["send"], "bytes")


try:
    main()
except Wrong as wrong:
    sys.exit(f"{sys.argv[2]}: {wrong}")
