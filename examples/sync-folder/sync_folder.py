"""Keeps a folder of markdown in step with a bot's articles: sync-folder.mjs in Python. Each goes on with what the other has made."""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from loredex_client import LoredexClient, LoredexError, MetadataValue, NewArticle, SyncStep

FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
TITLE_LINE = re.compile(r"^title:[ \t]*([\"']?)(.+?)\1[ \t\r]*$", re.MULTILINE)
FIRST_HEADING = re.compile(r"^#[ \t]+(.+?)[ \t#\r]*$", re.MULTILINE)
TITLE_CHARACTERS_MIN, TITLE_CHARACTERS_MAX = 3, 1_000


@dataclass(frozen=True)
class Problem:
    """A file that is there but cannot be read."""

    path: str
    message: str


def main() -> int:
    options = arguments()
    try:
        with LoredexClient(options.url, options.key, on_wait=tell_wait) as client:
            return sync_folder(client, options)
    except KeyboardInterrupt:
        # What a shell takes for an end by Ctrl-C. What was written so far stays, and the next run goes on there.
        return 130
    except (LoredexError, OSError, ValueError) as error:
        print(f"stopped: {explain(error)}", file=sys.stderr)
        print("Run it again when that is settled: it goes on where it stopped.", file=sys.stderr)
        return 1


def sync_folder(client: LoredexClient, options: argparse.Namespace) -> int:
    folder = Path(options.folder).resolve()
    # In every article that it makes, and in no other: nothing else is ever touched.
    where: dict[str, MetadataValue] = {"managedBy": "sync-folder", "folder": options.name or folder.name}
    articles: list[NewArticle] = []
    problems: list[Problem] = []
    for file in sorted(markdown_files(folder)):
        path = file.relative_to(folder).as_posix()
        try:
            title, body = title_and_body(path, file.read_bytes().decode("utf-8-sig"))
        except UnicodeDecodeError:
            problems.append(Problem(path, "it is not UTF-8 text"))
        except OSError as error:
            problems.append(Problem(path, str(error)))
        else:
            articles.append({"title": title, "body": body, "metadata": {**where, "externalId": path}})

    def tell(step: SyncStep) -> None:
        print(f"{'would ' if options.dry_run else ''}{step.action} {step.value}", flush=True)

    outcome = client.sync(
        articles,
        by="externalId",
        where=where,
        remove=True,
        # A file that is there and cannot be read keeps the article that it has.
        keep=[problem.path for problem in problems],
        allow_empty=options.allow_empty,
        dry_run=options.dry_run,
        on_progress=tell,
    )
    not_in_step = [f"{problem.path}: {problem.message}" for problem in problems]
    not_in_step += [f"{problem.value}: {explain(problem.error)}" for problem in outcome.problems]
    for sentence in not_in_step:
        print(f"not in step: {sentence}", file=sys.stderr)
    print(
        f"{'dry run: ' if options.dry_run else ''}{outcome.created} created, {outcome.updated} updated, "
        f"{outcome.removed} removed, {outcome.unchanged} unchanged, {len(not_in_step)} not in step"
    )
    return 1 if not_in_step else 0


def markdown_files(folder: Path) -> Iterator[Path]:
    """Every ``.md`` file below the folder. Hidden ones and ``node_modules`` are left out, links are not followed."""
    # A folder that cannot be read ends it: half a listing would delete the articles of the other half.
    for entry in folder.iterdir():
        if entry.name.startswith(".") or entry.name == "node_modules" or entry.is_symlink():
            continue
        if entry.is_dir():
            yield from markdown_files(entry)
        elif entry.is_file() and entry.name.endswith(".md"):
            yield entry


def title_and_body(path: str, text: str) -> tuple[str, str]:
    """The title comes from the front matter, else from the first heading, else from the file's name."""
    front = FRONT_MATTER.match(text)
    body = text[front.end() :] if front else text
    titled = TITLE_LINE.search(front.group(1)) if front else None
    heading = FIRST_HEADING.search(body)
    named = [titled and titled.group(2), heading and heading.group(1), Path(path).stem]
    title = next((name for name in named if name and len(name) >= TITLE_CHARACTERS_MIN), path)
    return title[:TITLE_CHARACTERS_MAX], body


def explain(error: Exception) -> str:
    """Status, code and message; where rules are broken, one line for each."""
    if not isinstance(error, LoredexError) or error.status is None:
        return str(error)
    rules = "".join(f"\n  {rule['field']} ({rule['type']}): {rule['message']}" for rule in error.violations)
    code = "" if error.code is None else f", code {error.code}"
    return f"{error.status}{code}:{rules or f' {error.message}'}"


def tell_wait(seconds: float, error: LoredexError) -> None:
    print(f"  waiting {math.ceil(seconds)} s: {error.message}", flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--url", default=os.environ.get("LOREDEX_URL", "http://127.0.0.1:8080"), help="the service")
    parser.add_argument("--key", default=os.environ.get("LOREDEX_KEY"), help="the bot's key; default LOREDEX_KEY")
    parser.add_argument("--name", help="keeps the folder's articles apart from those of other folders; default: the folder's name")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, change nothing")
    parser.add_argument("--allow-empty", action="store_true", help="let an empty folder remove all its articles")
    options = parser.parse_args()
    if not options.key:
        parser.error("Give the bot's key with --key or in LOREDEX_KEY.")
    return options


if __name__ == "__main__":
    sys.exit(main())
