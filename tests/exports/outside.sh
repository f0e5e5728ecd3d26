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
for collective in alltoall allgather allreduce reduce_scatter broadcast reduce; do
  exported msccl "${collective}_torus.xml" $collective "torus(3,3)"
  exported msccl "${collective}_tree.xml" $collective "fat_tree(2,3)"
  exported msccl "${collective}_ring.xml" $collective "ring(5)" --pieces 3
  exported msccl "${collective}_worms.xml" $collective "mesh(2,3)" --switching wormhole
done
python3 "$here/check_msccl.py" -- *_*.xml
sed 's/depid="[0-9]*" deps="[0-9]*"/depid="-1" deps="-1"/' alltoall_torus.xml >spoilt.xml
if python3 "$here/check_msccl.py" spoilt.xml; then exit 1; fi

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
echo "all right"
