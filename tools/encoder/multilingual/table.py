"""The pieces as the package reads them: a tree over UTF-16 units with what each piece is worth, and the rows."""

from pathlib import Path

import numpy as np

from .pieces import SPECIALS


def _units(piece: str) -> list[int]:
    return np.frombuffer(piece.encode("utf-16-le", "surrogatepass"), "<u2").tolist()


def _levels(pieces: list[str]) -> tuple[list[int], list[int], list[int]]:
    """First children, pieces and units of the nodes, in the order of their depth."""
    sorted_pieces = sorted((_units(piece), number) for number, piece in enumerate(pieces) if number >= SPECIALS)
    first_child: list[int] = []
    piece_at: list[int] = []
    units: list[int] = []
    # A node is a range of the sorted pieces that begin alike.
    level = [(0, 0, len(sorted_pieces))]
    depth = 0
    nodes = 1
    while level:
        below = []
        for unit, start, end in level:
            first_child.append(nodes)
            units.append(unit)
            ends_here = start < end and len(sorted_pieces[start][0]) == depth
            piece_at.append(sorted_pieces[start][1] if ends_here else -1)
            at = start + ends_here
            while at < end:
                child = sorted_pieces[at][0][depth]
                child_end = at
                while child_end < end and sorted_pieces[child_end][0][depth] == child:
                    child_end += 1
                below.append((child, at, child_end))
                nodes += 1
                at = child_end
        level = below
        depth += 1
    first_child.append(nodes)
    return first_child, piece_at, units


def write_pieces(pieces: list[str], scores: list[float], path: Path) -> Path:
    """Two counts (uint32), the scores (float32), then of every node the first child (uint32, one more at the end), the piece (int32), the unit (uint16)."""
    if len(set(pieces)) != len(pieces):
        raise SystemExit("A piece stands in the list twice.")
    first_child, piece_at, units = _levels(pieces)
    parts = [
        np.array([len(pieces), len(units)], "<u4"),
        np.array(scores, "<f4"),
        np.array(first_child, "<u4"),
        np.array(piece_at, "<i4"),
        np.array(units, "<u2"),
    ]
    path.write_bytes(b"".join(part.tobytes() for part in parts))
    return path


def write_rows(packed: np.ndarray, numbers: list[int], path: Path) -> Path:
    """The rows of the pieces that are kept, by their new numbers."""
    path.write_bytes(packed[numbers].tobytes())
    return path
