"""The server that all Python packages are tested against."""

from __future__ import annotations

from loredex_server import Server, bots, filled_key, new_admin_key, new_key, server

__all__ = ["Server", "bots", "filled_key", "new_admin_key", "new_key", "server"]
