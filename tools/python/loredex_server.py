"""Fixtures for the tests of all Python packages: one server for a run, from the built program, and bots on it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from loredex_client import LoredexClient, NewArticle

PROGRAM = Path(__file__).parents[2] / "packages" / "loredex" / "bin" / "loredex.js"
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.upper().startswith("LOREDEX_")}


@dataclass(frozen=True)
class Server:
    url: str
    data: Path

    def admin_key(self, name: str, *options: str) -> str:
        """A new admin key."""
        return str(json.loads(loredex("admin-key", "create", name, "--json", "--data", str(self.data), *options))["key"])

    def bot(self, name: str, *options: str) -> str:
        """The key of a new bot."""
        return str(json.loads(loredex("bot", "create", name, "--json", "--embedder", "none", "--data", str(self.data), *options))["key"])


def loredex(*arguments: str) -> str:
    done = subprocess.run(["node", str(PROGRAM), *arguments], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("loredex")
    started = subprocess.Popen(
        ["node", str(PROGRAM), "serve", "--console", "--port", "0", "--data", str(data)],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        server = Server(_address(started), data)
        # A server whose log nobody reads cannot end: the pipe is full after some hundred requests.
        threading.Thread(target=started.communicate, daemon=True).start()
        yield server
    finally:
        started.terminate()
        started.wait()


def _address(started: subprocess.Popen[str]) -> str:
    said = ""
    assert started.stdout is not None
    for line in started.stdout:
        said += line
        found = re.search(r"http://[\d.]+:\d+", line)
        if found is not None:
            return found.group()
    raise AssertionError(f"the server did not start: {said}")


@pytest.fixture(scope="session")
def bots() -> Iterator[int]:
    return iter(range(1_000_000))


@pytest.fixture
def new_key(server: Server, bots: Iterator[int]) -> Callable[..., str]:
    """Makes a bot and gives its key."""
    return lambda *options: server.bot(f"bot {next(bots)}", *options)


@pytest.fixture
def new_admin_key(server: Server, bots: Iterator[int]) -> Callable[..., str]:
    """Makes an admin key and gives it."""
    return lambda *options: server.admin_key(f"admin {next(bots)}", *options)


@pytest.fixture
def filled_key(server: Server, new_key: Callable[..., str]) -> Callable[..., str]:
    """Makes a bot that finds the given articles, and gives its key."""

    def filled(*articles: NewArticle) -> str:
        key = new_key()
        with LoredexClient(server.url, key) as client:
            for article in articles:
                client.wait_until_active(client.create_article(article).article["id"])
        return key

    return filled


BODY = "# Refunds\n\nYou get your money back within 14 days.\n\nSale items are exchanged, not refunded.\n"


@pytest.fixture
def key(filled_key: Callable[..., str]) -> str:
    """The key of a bot with the articles that retrievers are asked about."""
    refunds = {"title": "Refunds", "body": BODY, "source": "https://example.com/refunds", "metadata": {"team": "billing"}}
    delivery = {"title": "Delivery", "body": "Parcels arrive on the next working day.", "metadata": {"team": "parcels"}}
    return filled_key(refunds, delivery)
