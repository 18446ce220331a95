"""Every call as steps."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast
from urllib.parse import quote

from ._error import LoredexError
from ._numbers import number_text
from ._steps import Answer, Patience, Send, Steps, Wait, answer_to
from ._types import (
    Article,
    ArticleChanges,
    ArticleSort,
    FacetValue,
    MetadataValue,
    NewArticle,
    Preview,
    PreviewedArticle,
    QueryAnswer,
    ResultGroup,
    SearchFilter,
    SearchResult,
    Suggestion,
    Usage,
    Versioned,
    Written,
)

T = TypeVar("T")
LAST_LOOK_SECONDS = 1.0
"""So much longer than the whole time a look may take that has been begun in it."""
CREATED = "Content addition was initiated."
"""What the service answers to a create, and to nothing else."""


def present(given: Mapping[str, T | None]) -> dict[str, T]:
    """What was given, without options that were not."""
    return {name: value for name, value in given.items() if value is not None}


def search_options(**options: object) -> dict[str, object]:
    """The options that were given, by their names in JSON: ``top_k`` is ``topK``."""
    return {re.sub(r"_(\w)", lambda found: found[1].upper(), name): value for name, value in present(options).items()}


def search_json(query: str, filters: SearchFilter | None, options: Mapping[str, object]) -> dict[str, object]:
    """What a search and a query send. ``options``: those of ``search_options``."""
    return {"query": query, "filters": dict(filters or {}), "options": options}


def search(
    patience: Patience,
    query: str,
    filters: SearchFilter | None,
    options: Mapping[str, object],
    request_id: str | None = None,
) -> Steps[list[SearchResult]]:
    sent = Send("POST", "/search", search_json(query, filters, options), headers=_named(request_id))
    return cast("list[SearchResult]", (yield from answer_to(sent, patience)).json)


def query(
    patience: Patience,
    query: str,
    filters: SearchFilter | None,
    options: Mapping[str, object],
    request_id: str | None = None,
) -> Steps[QueryAnswer]:
    sent = Send("POST", "/query", search_json(query, filters, options), headers=_named(request_id))
    return as_query_answer((yield from answer_to(sent, patience)))


def as_query_answer(answer: Answer) -> QueryAnswer:
    body = object_of(answer)
    return QueryAnswer(
        cast("list[SearchResult]", body["data"]),
        cast("int | None", body.get("total")),
        cast("dict[str, list[FacetValue]] | None", body.get("facets")),
        cast("list[ResultGroup] | None", body.get("groups")),
    )


def suggest(patience: Patience, prefix: str, limit: int | None) -> Steps[list[Suggestion]]:
    body = object_of((yield from answer_to(Send("POST", "/suggest", present({"prefix": prefix, "limit": limit})), patience)))
    return cast("list[Suggestion]", body["data"])


def feedback(
    patience: Patience, request_id: str, helpful: bool, resource_doc_id: str | None, comment: str | None
) -> Steps[None]:
    given = {"requestId": request_id, "resourceDocId": resource_doc_id, "helpful": helpful, "comment": comment}
    yield from answer_to(Send("POST", "/feedback", present(given)), patience)


def _named(request_id: str | None) -> dict[str, str]:
    return {} if request_id is None else {"x-request-id": request_id}


def create(patience: Patience, article: NewArticle, idempotency_key: str | None) -> Steps[Written]:
    headers = {"idempotency-key": idempotency_key or secrets.token_hex(16)}
    return written((yield from answer_to(Send("POST", "", article, headers=headers), patience)))


def get(patience: Patience, id: str) -> Steps[Versioned]:
    return versioned((yield from answer_to(Send("GET", _path(id)), patience)))


def get_if_changed(patience: Patience, id: str, etag: str) -> Steps[Versioned | None]:
    answer = yield from answer_to(Send("GET", _path(id), headers={"if-none-match": etag}), patience)
    return None if answer.json is None else versioned(answer)


def page(patience: Patience, params: Mapping[str, str]) -> Steps[tuple[list[Article], dict[str, str] | None]]:
    """A page, and what asks for the next one, if there is one. Asks for half as many articles where an answer is too long."""
    while True:
        try:
            body = object_of((yield from answer_to(Send("GET", "", params=params), patience)))
            break
        except LoredexError as error:
            limit = int(params["limit"])
            if not error.is_too_long or limit <= 1:
                raise
            params = {**params, "limit": str(limit // 2)}
    after = body.get("next")
    return cast("list[Article]", body["data"]), None if after is None else {**params, "after": str(after)}


def first_page(
    id: str | None,
    title: str | None,
    metadata: Mapping[str, MetadataValue] | None,
    page_size: int,
    sort: ArticleSort | None = None,
) -> dict[str, str]:
    given = {"id": id, "title": title, "limit": str(page_size), "sort": sort}
    named = {f"metadata.{key}": as_written(value) for key, value in (metadata or {}).items()}
    return {**present(given), **named}


def as_written(value: MetadataValue) -> str:
    """As JSON has it, which is how the service compares it: ``true``, and ``7`` for 7.0."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else number_text(value)


def update(patience: Patience, id: str, changes: ArticleChanges, if_match: str | None) -> Steps[Written]:
    # With a condition it is sent once: its own first try would have changed the tag.
    sent = Send("PUT", _path(id), changes, headers=condition(if_match), is_repeatable=if_match is None)
    return written((yield from answer_to(sent, patience)))


def delete(patience: Patience, id: str, if_match: str | None) -> Steps[None]:
    yield from answer_to(Send("DELETE", _path(id), headers=condition(if_match)), patience)


def preview(patience: Patience, article: PreviewedArticle) -> Steps[Preview]:
    body = object_of((yield from answer_to(Send("POST", "/preview", article), patience)))
    return cast("Preview", body["data"])


def usage(patience: Patience) -> Steps[Usage]:
    body = object_of((yield from answer_to(Send("GET", area="/usage"), patience)))
    return cast("Usage", body["data"])


def upsert(patience: Patience, article: NewArticle, by: Sequence[str]) -> Steps[bool]:
    """Whether it was created. Two at the same time never create two, and sent twice it is charged once."""
    operation = {"op": "upsert", "by": list(by), "article": article}
    sent = Send("POST", "/batch", {"operations": [operation]}, is_batch_of_one=True)
    return object_of((yield from answer_to(sent, patience)))["message"] == CREATED


def wait_until_active(patience: Patience, id: str, timeout_seconds: float) -> Steps[Article]:
    late = LoredexError(f"Article {id} is still not active after {timeout_seconds:g} s.")
    end, pause = patience.clock() + timeout_seconds, 0.05
    while True:
        hurried = replace(patience, ends_at=max(end, patience.clock() + LAST_LOOK_SECONDS))
        try:
            article = (yield from get(hurried, id)).article
        except LoredexError as error:
            if error.status is None and patience.clock() >= end:
                raise late from error
            raise
        if article["status"] == "active":
            return article
        left = end - patience.clock()
        if left <= 0:
            raise late
        yield Wait(min(pause, left))
        pause = min(2 * pause, 1.0)


def _path(id: str) -> str:
    return f"/{quote(id, safe='')}"


def condition(if_match: str | None) -> dict[str, str]:
    return {} if if_match is None else {"if-match": if_match}


def object_of(answer: Answer) -> dict[str, object]:
    if not isinstance(answer.json, dict):
        raise LoredexError("The answer is not as Loredex gives it.")
    return answer.json


def versioned(answer: Answer) -> Versioned:
    return Versioned(cast("Article", object_of(answer)["data"]), answer.etag)


def written(answer: Answer) -> Written:
    body = object_of(answer)
    return Written(cast("Article", body["data"]), answer.etag, cast(int, body["characterUsed"]))
