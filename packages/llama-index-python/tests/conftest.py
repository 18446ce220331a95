"""The server that all Python packages are tested against."""

from __future__ import annotations

from loredex_server import BODY, Server, bots, filled_key, key, new_key, server

__all__ = ["BODY", "Server", "bots", "filled_key", "key", "new_key", "server"]
