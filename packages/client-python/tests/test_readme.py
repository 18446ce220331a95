"""The programs that README shows, run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Server

PACKAGE = Path(__file__).parents[1]
PROGRAMS = re.findall(r"^```python\n(.*?)^```", (PACKAGE / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_there_are_some() -> None:
    assert len(PROGRAMS) == 2


@pytest.mark.parametrize("program", PROGRAMS)
def test_does_what_it_says_twice(program: str, server: Server, new_key: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(program, "utf-8")
    environment = {
        **os.environ,
        "LOREDEX_URL": server.url,
        "LOREDEX_KEY": new_key(),
        "PYTHONPATH": str(PACKAGE / "src"),
        "MYPYPATH": str(PACKAGE / "src"),
    }
    for _ in range(2):
        ran = subprocess.run([sys.executable, str(file)], env=environment, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert "refund" in ran.stdout or "kilos" in ran.stdout
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(file)], env=environment, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
