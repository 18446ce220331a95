"""The example that lets a model answer, run as a person would, with a model server that is made up here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from .conftest import Server

EXAMPLE = Path(__file__).parents[3] / "examples" / "rag-python" / "rag.py"
SOURCES = os.pathsep.join(path for path in sys.path if path.endswith("src"))
QUESTION = "how long does a refund take?"


class ModelServer:
    """Answers with the given events, and keeps what it was asked."""

    def __init__(self) -> None:
        self.status = 200
        self.events = [_event("Three "), _event("days\x1b[2J [1]."), '{"choices":[]}', '{"choices":[{"delta":{}}]}', "[DONE]"]
        self.asked: list[tuple[str, str | None, dict[str, Any]]] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                model.asked.append((self.path, self.headers["authorization"], body))
                self.send_response(model.status)
                self.end_headers()
                try:
                    for event in model.events:
                        self.wfile.write(f"data: {event}\n\n".encode())
                except OSError:
                    # The program has given up.
                    pass

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"


def _event(text: str) -> str:
    return json.dumps({"choices": [{"delta": {"content": text}}]})


@pytest.fixture
def model() -> Iterator[ModelServer]:
    model = ModelServer()
    thread = Thread(target=model.http.serve_forever)
    thread.start()
    try:
        yield model
    finally:
        model.http.shutdown()
        model.http.server_close()
        thread.join()


@pytest.fixture
def key(filled_key: Callable[..., str]) -> str:
    return filled_key(
        {
            "title": "Refunds",
            "body": "# Refunds\n\n## Abroad\n\nA refund takes three working days.\n\nBanks are slow.",
            "source": "https://example.com/refunds",
        }
    )


def run(server: Server, model: ModelServer, key: str, *arguments: str) -> tuple[int, str, str]:
    given = {"LOREDEX_URL": server.url, "LOREDEX_KEY": key, "MODEL_URL": model.url, "MODEL": "small", "MODEL_KEY": "model-key"}
    environment = {**os.environ, **given, "PYTHONPATH": SOURCES, "PYTHONIOENCODING": "utf-8"}
    ran = subprocess.run(
        [sys.executable, str(EXAMPLE), *arguments], env=environment, capture_output=True, encoding="utf-8", check=False
    )
    return ran.returncode, ran.stdout, ran.stderr


def test_shows_the_models_answer_and_the_sections_with_the_lines_that_matched(server: Server, model: ModelServer, key: str) -> None:
    assert run(server, model, key, QUESTION) == (
        0,
        "Three days�[2J [1].\n\n[1] Refunds > Abroad, line 5 (https://example.com/refunds)\n"
        "    ## Abroad\n\n    A refund takes three working days.\n\n    Banks are slow.\n",
        "",
    )
    [(path, authorization, body)] = model.asked
    assert (path, authorization) == ("/v1/chat/completions", "Bearer model-key")
    system, user = body.pop("messages")
    assert body == {"model": "small", "stream": True}
    assert system["content"].endswith("\n\n[1] Refunds > Abroad\n## Abroad\n\nA refund takes three working days.\n\nBanks are slow.")
    assert user == {"role": "user", "content": QUESTION}


def test_asks_no_model_where_nothing_is_found(server: Server, model: ModelServer, key: str) -> None:
    assert run(server, model, key, "xyzzy") == (0, "Nothing was found.\n", "")
    assert model.asked == []


@pytest.mark.parametrize(
    ("status", "events", "said"),
    [
        (503, [], "answered with status 503"),
        (200, [], "ended its answer early"),
        (200, ["[]"], "does not answer as OpenAI's API does"),
        (200, ["{"], "does not answer as OpenAI's API does"),
        (200, [_event("x" * 600_000), _event("x" * 600_000)], "sent more than 1000000 bytes"),
    ],
)
def test_says_what_the_model_server_did(
    status: int, events: list[str], said: str, server: Server, model: ModelServer, key: str
) -> None:
    model.status, model.events = status, events
    code, _, error = run(server, model, key, QUESTION)
    assert (code, said in error, "Traceback" in error) == (1, True, False)


def test_says_what_is_missing_or_wrong(server: Server, model: ModelServer, key: str) -> None:
    assert run(server, model, key)[::2] == (2, "usage: python rag.py QUESTION, with LOREDEX_KEY and MODEL set\n")
    assert run(server, model, "", QUESTION)[::2] == (2, "usage: python rag.py QUESTION, with LOREDEX_KEY set\n")
    code, _, error = run(server, model, "nobody", QUESTION)
    assert (code, error.startswith("No answer: A valid API key is required")) == (1, True)
