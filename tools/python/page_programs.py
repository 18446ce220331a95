"""The Python programs that pages show, run and type-checked as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from loredex_client import LoredexClient

ROOT = Path(__file__).parents[2]


def programs_of(page: str) -> list[str]:
    """Those of a page, which is named from the repository's root."""
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)


def run_program(program: str, folder: Path, sources: str, environment: Mapping[str, str]) -> str:
    """What it prints. Fails where it ends badly or prints errors. ``sources``: where it finds our packages."""
    file = folder / "program.py"
    file.write_text(program, "utf-8")
    whole = {**os.environ, **environment, "PYTHONPATH": sources}
    ran = subprocess.run([sys.executable, str(file)], env=whole, cwd=folder, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def check_that_it_finds(program: str, folder: Path, sources: str, url: str, key: str) -> None:
    """Fails unless the program prints the answer of the article that pages speak of, which it is given first."""
    answer = "A refund takes three working days."
    with LoredexClient(url, key) as client:
        made = client.create_article({"title": "Refunds", "body": answer, "metadata": {"team": "billing"}})
        client.wait_until_active(made.article["id"])
    assert answer in run_program(program, folder, sources, {"LOREDEX_URL": url, "LOREDEX_KEY": key})


def check_types(programs: Sequence[str], folder: Path, sources: str) -> None:
    """Fails where ``mypy --strict`` finds something in one of them."""
    files = [folder / f"program_{number}.py" for number in range(len(programs))]
    for file, program in zip(files, programs):
        file.write_text(program, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / ".tmp" / "mypy-of-pages"), *map(str, files)]
    whole = {**os.environ, "MYPYPATH": sources}
    checked = subprocess.run(command, env=whole, cwd=folder, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
