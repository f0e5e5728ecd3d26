#!/bin/bash
# What is exported, given to readers that are not ours; each is left out, and that is said, where it is not installed.
#
#   outside.sh PROGRAM FOLDER
set -euo pipefail
program=$1
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
mkdir -p "$2"
cd "$2"

exported() { # FORM FILE ARGUMENTS...
  local form=$1 file=$2
  shift 2
  "$program" export "$@" --to "$form" -o "$file" >/dev/null
}
has() { command -v "$1" >/dev/null || { echo "left out: no $1"; return 1; }; }

# Thread blocks of GPUs, run in random orders; and that a file in which nobody waits is found out.
for collective in alltoall allgather allreduce reduce_scatter broadcast reduce gather scatter; do
  exported msccl "${collective}_torus.xml" $collective "torus(3,3)"
  exported msccl "${collective}_tree.xml" $collective "fat_tree(2,3)"
  exported msccl "${collective}_ring.xml" $collective "ring(5)" --pieces 3
  exported msccl "${collective}_worms.xml" $collective "mesh(2,3)" --switching wormhole
done
python3 "$here/check_msccl.py" -- *_*.xml
sed 's/depid="[0-9]*" deps="[0-9]*"/depid="-1" deps="-1"/' alltoall_torus.xml >spoilt.xml
if python3 "$here/check_msccl.py" spoilt.xml; then exit 1; fi

# The same of msccl++: puts of one side, with signals for room and for data.
for collective in alltoall allgather allreduce reduce_scatter broadcast reduce; do
  exported mscclpp "${collective}_torus.plan.json" $collective "torus(3,3)"
  exported mscclpp "${collective}_tree.plan.json" $collective "fat_tree(2,3)"
  exported mscclpp "${collective}_ring.plan.json" $collective "ring(5)" --pieces 3
  exported mscclpp "${collective}_worms.plan.json" $collective "mesh(2,3)" --switching wormhole
done
exported mscclpp parts.plan.json alltoall "line(12)" # more than a thread block may do
python3 "$here/check_mscclpp.py" ./*.plan.json
python3 - <<'PYTHON'
import json
for kind, before in (("sem_acquire", None), ("wait", None), ("nop", "re")):
    plan = json.load(open("allreduce_torus.plan.json"))
    ops, at = next((b["ops"], i) for b in plan["gpus"][4]["threadblocks"] for i, op in enumerate(b["ops"])
                   if op["name"] == kind and (before is None or b["ops"][i + 1]["name"] == before))
    del ops[at]
    json.dump(plan, open(f"without_{kind}.json", "w"))
PYTHON
for kind in sem_acquire wait nop; do
  if python3 "$here/check_mscclpp.py" without_$kind.json; then exit 1; fi
done

# Networks.
for form in dot graphml node-link; do
  exported $form torus.$form "torus(3,4)"
  exported $form tree.$form "fat_tree(2,2)"
done
if has xmllint; then xmllint --noout ./*.graphml ./*.xml; fi
if has dot; then [[ $(dot -Tplain torus.dot | grep -c ^edge) == 24 ]]; fi
if python3 -c "import networkx" 2>/dev/null; then
  python3 - <<'PYTHON'
import inspect
import json
import networkx as nx
key = "edges" if "edges" in inspect.signature(nx.node_link_graph).parameters else "link"
for name, nodes, edges in (("torus", 12, 24), ("tree", 7, 6)):
    data = json.load(open(name + ".node-link"))
    graphs = [nx.node_link_graph(data, **{key: "edges"}), nx.read_graphml(name + ".graphml")]
    for graph in graphs:
        assert graph.number_of_nodes() == nodes and graph.number_of_edges() == edges, (name, graph)
        assert not graph.is_directed() and all(w["capacity"] == 1 for _, _, w in graph.edges(data=True))
        assert sum(w["endpoint"] for _, w in graph.nodes(data=True)) == (12 if name == "torus" else 4)
PYTHON
else
  echo "left out: no networkx"
fi

# Tables.
exported csv alltoall.csv alltoall "torus(3,3)"
python3 - <<'PYTHON'
import csv
rows = list(csv.DictReader(open("alltoall.csv")))
assert len(rows) == 108 and max(int(row["step"]) for row in rows) == 3, len(rows)
PYTHON

# What simulators of messages take; with a dependency taken away a message is not there when it is passed on.
for collective in alltoall allgather allreduce reduce_scatter broadcast reduce scatter gather; do
  exported goal ${collective}.goal $collective "torus(3,3)"
  exported goal ${collective}_tree.goal $collective "fat_tree(2,3)" --ports 1
  python3 "$here/check_messages.py" $collective ${collective}.goal >${collective}.said
  python3 "$here/check_messages.py" $collective ${collective}_tree.goal
done
sed '/ requires /d' alltoall.goal >spoilt.goal
if python3 "$here/check_messages.py" alltoall spoilt.goal; then exit 1; fi
if has protoc; then
  for collective in alltoall allgather allreduce reduce_scatter broadcast reduce scatter gather; do
    exported chakra $collective $collective "torus(3,3)"
    python3 "$here/check_messages.py" $collective $collective >$collective.traced
    # The same messages as in the other form.
    [[ $(cut -d' ' -f2- $collective.traced) == $(cut -d' ' -f2- $collective.said) ]]
  done
fi

# The algorithms of msccl-tools, by its own rules: links have room, and what must be there in the end is there. It does not mind
# what is sent by one who does not have it; this does.
for collective in alltoall allgather broadcast scatter gather; do
  exported msccl-tools ${collective}_steps.json $collective "torus(3,3)" --pieces 2
  exported msccl-tools ${collective}_shared.json $collective "ring(5)" --packets many
done
python3 - ./*_steps.json ./*_shared.json <<'PYTHON'
import json
import sys
from collections import Counter
for path in sys.argv[1:]:
    plan = json.load(open(path))
    chunks, links = plan["collective"]["chunks"], plan["topology"]["links"]
    assert plan["collective"]["nodes"] == len(links) and plan["instance"]["steps"] == len(plan["steps"])
    holds = {(rank, chunk["addr"]) for chunk in chunks for rank in chunk["pre"]}
    for number, step in enumerate(plan["steps"]):
        before = set(holds)
        used = Counter((tail, head) for _, tail, head in step["sends"])
        assert all(count <= links[head][tail] * step["rounds"] for (tail, head), count in used.items()), (path, number)
        for chunk, tail, head in step["sends"]:
            assert (tail, chunk) in before, (path, number, chunk)
            holds.add((head, chunk))
    assert all((rank, chunk["addr"]) in holds for chunk in chunks for rank in chunk["post"]), path
    for key, end in (("input_map", "pre"), ("output_map", "post")):
        wanted = {}
        for chunk in chunks:
            for rank in chunk[end]:
                wanted.setdefault(str(rank), []).append(chunk["addr"])
        assert plan[key] == wanted, (path, key)
    assert sum(step["rounds"] - 1 for step in plan["steps"]) == plan["instance"]["extra_rounds"], path
PYTHON

# Timelines: on a thread slices follow each other, and steps fill the time.
exported perfetto packets.trace alltoall "torus(3,3)"
exported perfetto worms.trace alltoall "torus(4,4)" --switching wormhole --ts 2us --tx 1ns/B
exported perfetto shared.trace alltoall "ring(5)" --packets many
python3 - <<'PYTHON'
import json
for path, hops, end in (("packets", 108, 3), ("worms", 512, None), ("shared", None, None)):
    trace = json.load(open(path + ".trace"))["traceEvents"]
    slices = [e for e in trace if e["ph"] == "X" and e["cat"] == "transfer"]
    steps = [e for e in trace if e["ph"] == "X" and e["cat"] == "step"]
    assert hops is None or sum(e["args"]["blocks"] for e in slices) == hops, (path, len(slices))
    named = {(e["pid"], e["tid"]) for e in trace if e["name"] == "thread_name"}
    last = {}
    for e in slices:
        thread = (e["pid"], e["tid"])
        assert thread in named and e["ts"] >= last.get(thread, 0) - 1e-6, (path, e)
        last[thread] = e["ts"] + e["dur"]
        step = steps[e["args"]["step"] - 1]
        assert (e["ts"], e["dur"]) == (step["ts"], step["dur"]), (path, e)
    now = 0
    for step in steps:
        assert abs(step["ts"] - now) < 0.01 and step["dur"] > 0, (path, step)
        now = step["ts"] + step["dur"]
    assert end is None or now == end, (path, now)
PYTHON
echo "all right"
