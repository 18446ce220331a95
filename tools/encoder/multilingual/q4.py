"""Four bits a number: blocks of 32 with one scale, as the piece table is shipped."""

import numpy as np

BLOCK = 32
# Two bytes of scale (half precision), then 16 bytes: byte j holds number j in its low half and number j + 16 in its high half.
BLOCK_BYTES = 2 + BLOCK // 2


def packed_bytes(width: int) -> int:
    """Bytes of a row of `width` numbers."""
    return width // BLOCK * BLOCK_BYTES


def unpack(packed: np.ndarray) -> np.ndarray:
    """Rows of bytes to rows of numbers."""
    blocks = packed.reshape(-1, BLOCK_BYTES)
    scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
    halves = blocks[:, 2:]
    digits = np.concatenate([halves & 15, halves >> 4], 1).astype(np.int8) - 8
    return (digits * scales).astype(np.float32).reshape(len(packed), -1)


def pack(rows: np.ndarray) -> np.ndarray:
    """Rows of numbers to rows of bytes: the number that is largest in its block becomes exactly -8 scales."""
    blocks = rows.reshape(-1, BLOCK).astype(np.float32)
    largest = np.take_along_axis(blocks, np.abs(blocks).argmax(1)[:, None], 1)
    scales = (largest / -8.0).astype("<f2")
    divisor = scales.astype(np.float32)
    digits = np.clip(np.rint(np.divide(blocks, divisor, out=np.zeros_like(blocks), where=divisor != 0)) + 8, 0, 15)
    digits = digits.astype(np.uint8)
    halves = digits[:, : BLOCK // 2] | (digits[:, BLOCK // 2 :] << 4)
    return np.concatenate([scales.view(np.uint8).reshape(-1, 2), halves], 1).reshape(len(rows), -1)
