"""The programs that pages show, run as they stand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from page_programs import check_types, programs_of, run_program

from .conftest import Server

PROGRAMS = programs_of("packages/client-python/README.md")
[ADMIN_PROGRAM] = programs_of("docs/admin-api.md")
SOURCES = str(Path(__file__).parents[1] / "src")


def test_there_are_some_and_they_are_well_typed(tmp_path: Path) -> None:
    assert len(PROGRAMS) == 2
    check_types([*PROGRAMS, ADMIN_PROGRAM], tmp_path, SOURCES)


@pytest.mark.parametrize("program", PROGRAMS)
def test_does_what_it_says_twice(program: str, server: Server, new_key: Callable[..., str], tmp_path: Path) -> None:
    environment = {"LOREDEX_URL": server.url, "LOREDEX_KEY": new_key()}
    for _ in range(2):
        said = run_program(program, tmp_path, SOURCES, environment)
        assert "refund" in said or "kilos" in said


def test_the_program_of_the_admin_api_does_what_it_says_twice(server: Server, new_admin_key: Callable[..., str], tmp_path: Path) -> None:
    environment = {"LOREDEX_URL": server.url, "LOREDEX_ADMIN_KEY": new_admin_key()}
    for _ in range(2):
        said = run_program(ADMIN_PROGRAM, tmp_path, SOURCES, environment)
        assert "A refund takes three working days." in said and "('shop', " in said
        assert (tmp_path / "shop.backup").stat().st_size > 0
