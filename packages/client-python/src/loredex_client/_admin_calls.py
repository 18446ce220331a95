"""Every call of the admin API as steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, TypeVar, Union, cast
from urllib.parse import quote

from ._admin_answers import ChangesPage, DocumentsPage, VersionedGolden, VersionedVocabulary
from ._admin_types import (
    AdminJob,
    AdminVocabulary,
    SearchQuality,
)
from ._calls import as_query_answer, condition, object_of, present, search_json, versioned, written
from ._error import LoredexError
from ._steps import FileContent, Patience, Send, Steps, Wait, answer_to
from ._types import QueryAnswer, SearchFilter, Versioned, Written

T = TypeVar("T")
Content = Union[bytes, BinaryIO]
"""Bytes to send: as they are, or a file that is open in binary, from where it stands to its end."""
JOB_PAUSE_SECONDS = (0.1, 2.0)
"""Between two questions for a job: at first, and at most."""


def asked(
    method: str,
    *path: str,
    json: object = None,
    content: Content | None = None,
    params: Mapping[str, object] | None = None,
    if_match: str | None = None,
) -> Send:
    """A request to the admin API. After a lost answer it is sent again only if it changes nothing.

    Raises a ValueError for a part of the path that would lead to another path.
    """
    for part in path:
        if part in ("", ".", ".."):
            raise ValueError(f'"{part}" is no name or id that an address can hold')
    given = {name: _param(value) for name, value in present(params or {}).items()}
    return Send(
        method,
        "".join(f"/{quote(part, safe='')}" for part in path),
        json,
        None if content is None else _content(content),
        given,
        condition(if_match),
        is_repeatable=method == "GET",
        area="/admin",
    )


def searched(
    bot: str, call: str, query: str, filters: SearchFilter | None, options: Mapping[str, object], quality: SearchQuality | None
) -> Send:
    return asked("POST", "bots", bot, call, json=search_json(query, filters, options), params={"quality": quality})


def data(patience: Patience, sent: Send) -> Steps[T]:
    """The ``data`` of the answer, whose type the caller knows."""
    return cast(T, object_of((yield from answer_to(sent, patience)))["data"])


def done(patience: Patience, sent: Send) -> Steps[None]:
    yield from answer_to(sent, patience)


def field(patience: Patience, sent: Send, name: str) -> Steps[T]:
    """One field of the ``data``."""
    found: Mapping[str, Any] = yield from data(patience, sent)
    return cast(T, found[name])


def documents(patience: Patience, sent: Send) -> Steps[DocumentsPage]:
    body: Any = object_of((yield from answer_to(sent, patience)))
    return DocumentsPage(body["data"], body["total"])


def changes(patience: Patience, sent: Send) -> Steps[ChangesPage]:
    body: Any = object_of((yield from answer_to(sent, patience)))
    return ChangesPage(body["data"], body.get("next"))


def write(patience: Patience, sent: Send) -> Steps[Written]:
    return written((yield from answer_to(sent, patience)))


def vocabulary(patience: Patience, sent: Send) -> Steps[VersionedVocabulary]:
    answer = yield from answer_to(sent, patience)
    return VersionedVocabulary(cast("AdminVocabulary", object_of(answer)["data"]), answer.etag)


def golden(patience: Patience, sent: Send) -> Steps[VersionedGolden]:
    answer = yield from answer_to(sent, patience)
    found: Any = object_of(answer)["data"]
    return VersionedGolden(found["questions"], answer.etag)


def tag(patience: Patience, sent: Send) -> Steps[str]:
    return (yield from answer_to(sent, patience)).etag


def get(patience: Patience, sent: Send) -> Steps[Versioned]:
    return versioned((yield from answer_to(sent, patience)))


def query(patience: Patience, sent: Send) -> Steps[QueryAnswer]:
    return as_query_answer((yield from answer_to(sent, patience)))


def wait_for_job(
    patience: Patience, bot: str, id: str, timeout_seconds: float, on_progress: Callable[[AdminJob], None] | None
) -> Steps[AdminJob]:
    end, (pause, pause_max) = patience.clock() + timeout_seconds, JOB_PAUSE_SECONDS
    while True:
        job: AdminJob = yield from data(patience, asked("GET", "bots", bot, "jobs", id))
        if on_progress is not None:
            on_progress(job)
        if job["state"] != "running":
            return job
        left = end - patience.clock()
        if left <= 0:
            raise LoredexError(f"Job {id} still runs after {timeout_seconds:g} s.")
        yield Wait(min(pause, left))
        pause = min(2 * pause, pause_max)


def _param(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _content(content: Content) -> bytes | FileContent:
    if isinstance(content, (bytes, bytearray, memoryview)):
        return bytes(content)
    start = content.tell()
    return FileContent(content, start, content.seek(0, 2) - start)
