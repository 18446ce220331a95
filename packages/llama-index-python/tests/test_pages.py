"""The programs that pages show for LlamaIndex, run as they stand."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from loredex_client import LoredexClient
from page_programs import check_types, programs_of, run_program

from .conftest import Server

PROGRAMS = [
    program
    for page in ("docs/python-retrievers.md", "packages/llama-index-python/README.md")
    for program in programs_of(page)
    if "llama_index" in program
]
SOURCES = os.pathsep.join(path for path in sys.path if path.endswith("src"))


def test_there_are_some_and_they_are_well_typed(tmp_path: Path) -> None:
    assert len(PROGRAMS) == 3
    check_types(PROGRAMS, tmp_path, SOURCES)


@pytest.mark.parametrize("program", PROGRAMS)
def test_finds_the_answer(program: str, server: Server, new_key: Callable[..., str], tmp_path: Path) -> None:
    key = new_key()
    with LoredexClient(server.url, key) as client:
        made = client.create_article(
            {"title": "Refunds", "body": "A refund takes three working days.", "metadata": {"team": "billing"}}
        )
        client.wait_until_active(made.article["id"])
    said = run_program(program, tmp_path, SOURCES, {"LOREDEX_URL": server.url, "LOREDEX_KEY": key})
    assert "A refund takes three working days." in said
