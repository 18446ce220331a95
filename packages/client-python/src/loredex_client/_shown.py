from __future__ import annotations

import re

CHARACTERS_MAX = 4_096
"""Longer than any sentence of the service."""
BREAKS = re.compile("[\t-\r\x85\u2028\u2029]+")
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""C0, DEL, C1, what sets the direction of text, and invisible tags."""


def shown(text: str) -> str:
    """Text of a server as an error may show it: one line without control characters, which could steer a terminal.

    Each becomes U+FFFD. Cut at 4,096 characters.
    """
    cut = text if len(text) <= CHARACTERS_MAX else text[: CHARACTERS_MAX - 1] + "…"
    return UNSAFE.sub("\ufffd", BREAKS.sub(" ", cut))
