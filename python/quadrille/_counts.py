"""Counts of an alltoallv."""
from __future__ import annotations

import contextlib
import os
from typing import Any, Iterator

from ._core import Topology
from ._errors import refused


@contextlib.contextmanager
def counts_file(counts: Any, network: Topology) -> Iterator[str]:
    """The path of a file that holds them: a path is one, and a matrix is written into one that is there for as long."""
    if isinstance(counts, (str, os.PathLike)):
        yield os.fspath(counts)
        return
    import tempfile

    text = _matrix_market(counts, network)
    handle, path = tempfile.mkstemp(suffix=".mtx", prefix="quadrille_counts_")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
        yield path
    finally:
        os.unlink(path)


def _matrix_market(counts: Any, network: Topology) -> str:
    """As coordinates: three lines of three numbers might be anything."""
    import numpy

    matrix = counts.toarray() if hasattr(counts, "toarray") else numpy.asarray(counts)
    sizes = sorted({network.num_endpoints, network.num_nodes})
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] not in sizes:
        wanted = " or ".join(f"{size} rows and columns" for size in sizes)
        raise refused("counts", "have the shape", matrix.shape, f"{wanted}, one for each rank of {network.name}")
    if not numpy.issubdtype(matrix.dtype, numpy.integer):
        raise refused("counts", "are", matrix.dtype, "whole numbers")
    if matrix.size and matrix.min() < 0:
        raise refused("counts", "have a", matrix.min(), "whole numbers from 0 on")
    rows, columns = matrix.nonzero()
    entries = zip((rows + 1).tolist(), (columns + 1).tolist(), matrix[rows, columns].tolist())
    head = f"%%MatrixMarket matrix coordinate integer general\n{len(matrix)} {len(matrix)} {rows.size}\n"
    return head + "".join(f"{row} {column} {count}\n" for row, column, count in entries)
