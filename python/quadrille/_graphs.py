"""Networks from what Python has: specs, graphs of networkx, matrices."""
from __future__ import annotations

import io
import warnings
from . import _core
from ._core import Topology
from ._errors import InputError, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Optional, Union

    import networkx
    import numpy

    #: Whatever topology() takes.
    Network = Union[str, Topology, "networkx.Graph", "numpy.ndarray[Any, Any]", list[list[int]], Any]


def topology(
    network: Network,
    *,
    switches: Union[str, Iterable[str], None] = None,
    unit: Optional[str] = None,
    endpoints: Optional[Iterable[int]] = None,
) -> Topology:
    """A network, from

    - a spec: "torus(4,4)", "fat_tree(2^4)", 'file("net.graphml")' (`quadrille list topologies`);
    - a graph of networkx, directed or not. Its nodes keep their names as labels and their order as numbers. Of a link,
      "capacity" is how many transfers share it in a step; or "bandwidth" ("100Gbit/s") and "latency" ("2us"), from which
      capacities follow. `switches` says which nodes only pass on what others send: "type=switch" by an attribute, "leaf*" by
      name, or several such. `unit` is the bandwidth of capacity 1;
    - a square matrix, of NumPy, SciPy or lists: entry [i, j] is the capacity of the link from i to j, 0 for none. `endpoints`
      are the nodes that take part in collectives, all if not given.

    Attributes that mean nothing here are warned of, and listed in `remarks`. Raises InputError.
    """
    if isinstance(network, Topology):
        return network
    if isinstance(network, str):
        _refuse(
            "a spec says all of its network; switches, unit and endpoints are for graphs and matrices",
            switches=switches,
            unit=unit,
            endpoints=endpoints,
        )
        return _with_warnings(_core._parse_topology(network))
    if hasattr(network, "edges") and hasattr(network, "is_directed"):
        _refuse("endpoints are for matrices; which nodes of a graph are none is said by switches", endpoints=endpoints)
        return _with_warnings(_from_networkx(network, _listed(switches), unit or ""))
    _refuse("switches and unit are for graphs; a matrix has endpoints", switches=switches, unit=unit)
    return _from_matrix(network, endpoints)


def _refuse(why: str, **arguments: Any) -> None:
    """Arguments that mean nothing beside the network that is given."""
    for name, value in arguments.items():
        if value is not None:
            raise InputError(why, argument=name, given=str(value))


def _with_warnings(network: Topology) -> Topology:
    for remark in network.remarks:
        warnings.warn(remark, stacklevel=3)
    return network


def _listed(switches: Union[str, Iterable[str], None]) -> list[str]:
    if switches is None:
        return []
    return [switches] if isinstance(switches, str) else list(switches)


def _from_networkx(graph: Any, switches: list[str], unit: str) -> Topology:
    """By way of GraphML, so that attributes mean what they mean in files."""
    import networkx

    plain = type(graph)()
    plain.add_nodes_from((node, _simple(data)) for node, data in graph.nodes(data=True))
    plain.add_edges_from((tail, head, _simple(data)) for tail, head, data in graph.edges(data=True))
    text = io.BytesIO()
    networkx.write_graphml_xml(plain, text)
    return _core._from_graphml(text.getvalue().decode("utf-8"), switches, unit)


def _simple(data: dict[Any, Any]) -> dict[str, Any]:
    """Attributes that GraphML can hold; NumPy's numbers as Python's."""
    out = {}
    for name, value in data.items():
        value = value.item() if hasattr(value, "item") else value
        out[str(name)] = value if isinstance(value, (bool, int, float, str)) else str(value)
    return out


def _from_matrix(network: Any, endpoints: Optional[Iterable[int]]) -> Topology:
    import numpy

    if hasattr(network, "tocoo"):
        sparse = network.tocoo()
        shape, tails, heads, values = sparse.shape, sparse.row, sparse.col, numpy.asarray(sparse.data)
        present = values != 0
        tails, heads, values = tails[present], heads[present], values[present]
    else:
        matrix = numpy.asarray(network)
        shape = matrix.shape
        if matrix.ndim == 2:
            tails, heads = matrix.nonzero()
            values = matrix[tails, heads]
    if len(shape) == 0:
        raise refused("network", "is of the type", type(network).__name__, "a spec, a graph of networkx or a square matrix")
    if len(shape) != 2 or shape[0] != shape[1] or shape[0] == 0:
        raise refused("network", "has the shape", shape, "a square matrix, a graph or a spec")
    whole = numpy.issubdtype(values.dtype, numpy.floating) and bool((values == numpy.floor(values)).all())
    if values.dtype == bool or (whole and values.size and numpy.abs(values).max() < 2**53):
        values = values.astype(numpy.int64)  # as networkx.to_numpy_array gives them
    if not numpy.issubdtype(values.dtype, numpy.integer):
        raise refused("network", "has capacities of", values.dtype, "whole numbers, 0 where there is no link")
    if values.size and values.min() < 0:
        raise refused("network", "has a capacity of", values.min(), "whole numbers from 0 on")
    own = numpy.flatnonzero(tails == heads)
    if own.size:
        raise InputError(f"network: node {tails[own[0]]} is linked to itself", argument="network")
    ranks = None if endpoints is None else [int(node) for node in endpoints]
    tails, heads, values = (each.astype(numpy.uint64) for each in (tails, heads, values))
    return _core._from_arcs(int(shape[0]), tails, heads, values, ranks)
