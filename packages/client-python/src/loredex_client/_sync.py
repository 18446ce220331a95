"""Content kept in step: two lists in, a plan out, and the plan as steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from . import _calls
from ._error import ARTICLE_NOT_FOUND, SEVERAL_ARTICLES, LoredexError
from ._numbers import is_exact
from ._steps import Patience, Steps
from ._types import ActiveOn, Article, ArticleChanges, MetadataValue, NewArticle

Action = Literal["create", "update", "remove"]
Key = tuple[str, MetadataValue]
PAGE_ARTICLES = 500


@dataclass(frozen=True)
class SyncStep:
    """A change that comes next. ``value``: what the article has under the key; ``done``: how many changes were tried before."""

    action: Action
    value: MetadataValue
    done: int
    total: int


@dataclass(frozen=True)
class SyncProblem:
    """An article that is not as it is to be."""

    action: Action
    value: MetadataValue
    error: LoredexError


@dataclass
class SyncOutcome:
    """How many articles were changed, or in a dry run would be."""

    created: int = 0
    updated: int = 0
    removed: int = 0
    unchanged: int = 0
    problems: list[SyncProblem] = field(default_factory=list)


@dataclass(frozen=True)
class SyncOptions:
    by: str
    where: Mapping[str, MetadataValue] = field(default_factory=dict)
    remove: bool = False
    keep: Sequence[MetadataValue] = ()
    allow_empty: bool = False
    dry_run: bool = False
    on_progress: Callable[[SyncStep], None] | None = None


@dataclass(frozen=True)
class Planned:
    action: Action
    value: MetadataValue
    id: str = ""
    fields: ArticleChanges | NewArticle = field(default_factory=lambda: ArticleChanges())


def sync(patience: Patience, articles: Sequence[NewArticle], options: SyncOptions) -> Steps[SyncOutcome]:
    wanted = wanted_by(articles, options.by, options.where)
    present: list[Article] = []
    params: dict[str, str] | None = _calls.first_page(None, None, options.where, PAGE_ARTICLES)
    while params is not None:
        some, params = yield from _calls.page(patience, params)
        # The service compares values as they are written: 7 is "7" to it.
        present += [article for article in some if has_all(article["metadata"], options.where)]
    planned, unchanged = plan_sync(wanted, present, options)
    if not articles and not options.keep and planned and not options.allow_empty:
        raise LoredexError(
            f"Nothing is given, and {len(planned)} article(s) would be deleted. If they are to go, say allow_empty."
        )
    # With what sources that share a bot differ by: the same value of two sources names two articles.
    keys = list(dict.fromkeys([options.by, *options.where]))
    outcome = SyncOutcome(unchanged=unchanged)
    for done, step in enumerate(planned):
        if options.on_progress is not None:
            options.on_progress(SyncStep(step.action, step.value, done, len(planned)))
        action = step.action
        try:
            if not options.dry_run:
                action = yield from _make(patience, step, keys)
        except LoredexError as error:
            if not _concerns_one_article(error):
                raise
            outcome.problems.append(SyncProblem(step.action, step.value, error))
            continue
        outcome.created += action == "create"
        outcome.updated += action == "update"
        outcome.removed += action == "remove"
    return outcome


def _make(patience: Patience, step: Planned, keys: Sequence[str]) -> Steps[Action]:
    """What has been done in the end."""
    if step.action == "create":
        # Another sync may have created it since the list was read: that one is made equal then.
        is_new = yield from _calls.upsert(patience, cast("NewArticle", step.fields), keys)
        return "create" if is_new else "update"
    if step.action == "update":
        yield from _calls.update(patience, step.id, cast("ArticleChanges", step.fields), None)
    else:
        try:
            yield from _calls.delete(patience, step.id, None)
        except LoredexError as error:
            # What somebody else has deleted meanwhile is as gone as it was to be.
            if error.code != ARTICLE_NOT_FOUND:
                raise
    return step.action


def _concerns_one_article(error: LoredexError) -> bool:
    """Whether the others may still succeed: 429 without a time is more than any minute admits."""
    if error.code == SEVERAL_ARTICLES:
        return True
    return error.status in (400, 404, 413, 422) or (error.status == 429 and error.retry_after_seconds is None)


def wanted_by(
    articles: Sequence[NewArticle], by: str, where: Mapping[str, MetadataValue]
) -> dict[Key, NewArticle]:
    """By what they are found. Nothing is sent if one has nothing under that key, or two have the same."""
    wanted: dict[Key, NewArticle] = {}
    for article in articles:
        metadata = article.get("metadata") or {}
        if by not in metadata:
            raise LoredexError(f'"{article["title"]}" has no metadata "{by}", by which it could be found.')
        if not has_all(metadata, where):
            raise LoredexError(f'The metadata of "{article["title"]}" lacks what "where" names.')
        for name, value in metadata.items():
            if not is_exact(value):
                raise LoredexError(f"The metadata {name} = {value} is too large for an exact number: give it as a string.")
        key = _key(metadata[by])
        if key in wanted:
            raise LoredexError(f"Two articles have the metadata {by} = {metadata[by]!r}.")
        wanted[key] = article
    return wanted


def plan_sync(
    wanted: Mapping[Key, NewArticle], present: Sequence[Article], options: SyncOptions
) -> tuple[list[Planned], int]:
    """What has to be done, what frees quota first, and how many articles are as they are to be."""
    found: dict[Key, Article] = {}
    kept = {*wanted, *map(_key, options.keep)}
    removals: list[Planned] = []
    for old in present:
        if options.by not in old["metadata"]:
            continue
        value = old["metadata"][options.by]
        key = _key(value)
        # Whoever creates without looking can create an article twice: the oldest stays.
        is_copy = key in found
        found.setdefault(key, old)
        if options.remove and (is_copy or key not in kept):
            removals.append(Planned("remove", value, old["id"]))
    updates: list[Planned] = []
    creations: list[Planned] = []
    unchanged = 0
    for key, article in wanted.items():
        _, value = key
        if key not in found:
            creations.append(Planned("create", value, fields=article))
            continue
        changes = changes_of(found[key], article)
        if changes:
            updates.append(Planned("update", value, found[key]["id"], changes))
        else:
            unchanged += 1
    return [*removals, *updates, *creations], unchanged


def changes_of(old: Article, new: NewArticle) -> ArticleChanges:
    """The given fields that differ. A field that is not given stays as it is."""
    changes: ArticleChanges = {}
    if new["title"] != old["title"]:
        changes["title"] = new["title"]
    if new["body"] != old["body"]:
        changes["body"] = new["body"]
    if "metadata" in new and _keys(new["metadata"] or {}) != _keys(old["metadata"]):
        changes["metadata"] = new["metadata"]
    if "source" in new and new["source"] != old.get("source"):
        changes["source"] = new["source"]
    if "activeOn" in new and _entries(new["activeOn"] or []) != _entries(old["activeOn"]):
        changes["activeOn"] = new["activeOn"]
    return changes


def has_all(metadata: Mapping[str, MetadataValue], where: Mapping[str, MetadataValue]) -> bool:
    return all(key in metadata and _key(metadata[key]) == _key(value) for key, value in where.items())


def _key(value: MetadataValue) -> Key:
    """``7`` and ``"7"`` are two values, and so are ``1`` and ``True``, which Python takes for equal."""
    return ("boolean" if isinstance(value, bool) else "string" if isinstance(value, str) else "number", value)


def _keys(metadata: Mapping[str, MetadataValue]) -> dict[str, Key]:
    return {name: _key(value) for name, value in metadata.items()}


def _entries(active_on: Sequence[ActiveOn]) -> list[tuple[str | None, str]]:
    return [(entry.get("agent"), entry["channel"]) for entry in active_on]
