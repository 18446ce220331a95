"""The example of a folder that is kept in step, run as a person would."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from loredex_client import LoredexClient

from .conftest import Server

EXAMPLE = Path(__file__).parents[3] / "examples" / "sync-folder"
SOURCES = str(Path(__file__).parents[1] / "src")
IN_PYTHON = [sys.executable, str(EXAMPLE / "sync_folder.py")]
IN_JAVASCRIPT = ["node", str(EXAMPLE / "sync-folder.mjs")]


def test_a_folders_whole_life(server: Server, new_key: Callable[..., str], tmp_path: Path) -> None:
    key = new_key("--quota", "2000")
    folder = tmp_path / "help"
    shutil.copytree(EXAMPLE / "sample", folder)
    environment = {**os.environ, "LOREDEX_URL": server.url, "LOREDEX_KEY": key, "PYTHONPATH": SOURCES}

    def run(program: list[str], *arguments: str) -> tuple[int, str]:
        ran = subprocess.run([*program, *arguments], env=environment, capture_output=True, text=True, check=False)
        assert "Traceback" not in ran.stderr, ran.stderr
        return ran.returncode, (ran.stdout + ran.stderr).strip()

    with LoredexClient(server.url, key) as client:
        client.create_article({"title": "Written by hand", "body": "Leave me alone."})
        code, said = run(IN_PYTHON, str(folder), "--dry-run")
        assert (code, said.splitlines()[-1]) == (0, "dry run: 3 created, 0 updated, 0 removed, 0 unchanged, 0 not in step")
        assert "would create billing/invoices.md" in said
        assert run(IN_PYTHON, str(folder))[1].endswith("3 created, 0 updated, 0 removed, 0 unchanged, 0 not in step")
        # Both programs read a folder alike.
        assert run(IN_JAVASCRIPT, str(folder)) == (0, "0 created, 0 updated, 0 removed, 3 unchanged, 0 not in step")

        (folder / "opening-hours.md").write_text("---\r\ntitle: 'When?'\r\n---\r\n# Open\r\n\nDay and night.\n", newline="")
        (folder / "return-policy.md").unlink()
        (folder / "not-text.md").write_bytes(b"\xff\xfe\x00")
        (folder / "nothing.md").write_text("")
        (folder / "large.md").write_text("# Large\n" + "a long, long story. " * 200)
        code, said = run(IN_PYTHON, str(folder))
        assert code == 1
        assert "0 created, 1 updated, 1 removed, 1 unchanged, 3 not in step" in said
        assert "not in step: not-text.md: it is not UTF-8 text" in said
        assert "not in step: nothing.md: 400, code 1001:\n  body (minLength)" in said
        assert "not in step: large.md: 422, code 30001: " in said
        for name in ("not-text.md", "nothing.md", "large.md"):
            (folder / name).unlink()
        assert run(IN_JAVASCRIPT, str(folder)) == (0, "0 created, 0 updated, 0 removed, 2 unchanged, 0 not in step")
        titles = {article["title"] for article in client.list_articles()}
        assert titles > {"Written by hand", "When?"} and len(titles) == 3

        shutil.rmtree(folder)
        folder.mkdir()
        code, said = run(IN_PYTHON, str(folder))
        assert code == 1 and "would be deleted" in said
        assert run(IN_PYTHON, str(folder), "--allow-empty")[0] == 0
        assert run(IN_PYTHON, str(tmp_path / "missing"))[0] == 1
        assert [article["title"] for article in client.list_articles()] == ["Written by hand"]
    assert run(IN_PYTHON)[0] == 2


def test_ends_quietly_when_it_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A title\n\nA text.\n")
    # Ctrl-C at the first thing that it does with the server.
    interrupted = (
        "import runpy, sys, loredex_client\n"
        "def stop(*given, **named): raise KeyboardInterrupt\n"
        "loredex_client.LoredexClient.sync = stop\n"
        f"sys.argv = ['sync_folder.py', {str(tmp_path)!r}, '--key', 'k']\n"
        f"runpy.run_path({str(EXAMPLE / 'sync_folder.py')!r}, run_name='__main__')\n"
    )
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    ran = subprocess.run([sys.executable, "-c", interrupted], env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")
