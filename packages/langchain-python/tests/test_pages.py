"""The programs that pages show for LangChain, run as they stand."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from page_programs import check_that_it_finds, check_types, programs_of

from .conftest import Server

PROGRAMS = [
    program
    for page in ("docs/python-retrievers.md", "packages/langchain-python/README.md")
    for program in programs_of(page)
    if "llama_index" not in program
]
SOURCES = os.pathsep.join(path for path in sys.path if path.endswith("src"))


def test_there_are_some_and_they_are_well_typed(tmp_path: Path) -> None:
    assert len(PROGRAMS) == 5
    check_types(PROGRAMS, tmp_path, SOURCES)


@pytest.mark.parametrize("program", PROGRAMS)
def test_finds_the_answer(program: str, server: Server, new_key: Callable[..., str], tmp_path: Path) -> None:
    check_that_it_finds(program, tmp_path, SOURCES, server.url, new_key())
