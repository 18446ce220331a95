"""The types are those of the OpenAPI document that the server gives."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints, is_typeddict

import httpx
import pytest

from loredex_client import AsyncLoredexAdmin, AsyncLoredexClient, LoredexAdmin, LoredexClient
from loredex_client._admin_types import (
    AdminBot,
    AdminBotChanges,
    AdminBotDetails,
    AdminChange,
    AdminDocumentRow,
    AdminFindings,
    AdminFleetBot,
    AdminGap,
    AdminJob,
    AdminKey,
    AdminNewBot,
    AdminQuestion,
    AdminRegistration,
    AdminRestoredBot,
    AdminRun,
    AdminRunSummary,
    AdminSource,
    AdminStatus,
    AdminVocabulary,
    AdminVocabularyInput,
)
from loredex_client._types import (
    Article,
    ArticleChanges,
    BatchOperation,
    BatchResult,
    FacetValue,
    NewArticle,
    Preview,
    PreviewedArticle,
    ResultGroup,
    SearchResult,
    Suggestion,
    Usage,
    Violation,
)

from .conftest import Server

Schema = dict[str, Any]

KINDS: Mapping[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


@pytest.fixture(scope="module")
def document(server: Server) -> Schema:
    return cast(Schema, httpx.get(f"{server.url}/openapi.json").json())


def schema_of(document: Schema, *path: str) -> Schema:
    found = document["components"]["schemas"]
    for name in path:
        found = resolved(document, found[name])
    return cast(Schema, found)


def resolved(document: Schema, schema: Schema) -> Schema:
    return schema_of(document, schema["$ref"].rpartition("/")[2]) if "$ref" in schema else schema


def is_ignored(schema: Schema) -> bool:
    """Of a field that a server takes and does not look at."""
    return str(schema.get("description", "")).startswith("Ignored")


def choices(document: Schema, schema: Schema) -> list[Schema]:
    """A schema as those that it may be, each of one kind."""
    schema = resolved(document, schema)
    if "anyOf" in schema:
        return [choice for each in schema["anyOf"] for choice in choices(document, each)]
    if isinstance(schema.get("type"), list):
        return [{**schema, "type": kind} for kind in schema["type"]]
    return [schema]


def differences(hint: Any, schema: Schema, document: Schema, place: str) -> Iterator[str]:
    """In what a type is not what the document says."""
    if hint is object:
        return
    hints = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    offered = choices(document, schema)
    literals = [value for each in hints if get_origin(each) is Literal for value in get_args(each)]
    values = [value for each in offered for value in each.get("enum", [each["const"]] if "const" in each else [])]
    if sorted(literals) != sorted(values):
        yield f"{place} is one of {literals}, not of {values}"
    kinds = {KINDS[each] for each in hints if each in KINDS}
    described = {str(each["type"]) for each in offered if each.get("type") in KINDS.values() and not {"enum", "const"} & set(each)}
    # What is a number may be a whole one.
    if kinds - ({"integer"} if "number" in kinds else set()) != described:
        yield f"{place} is {sorted(kinds)}, not {sorted(described)}"
    yield from inner_differences(hints, offered, document, place)


def inner_differences(hints: Sequence[Any], offered: Sequence[Schema], document: Schema, place: str) -> Iterator[str]:
    lists = [get_args(each)[0] for each in hints if get_origin(each) in (list, Sequence)]
    arrays = [each["items"] for each in offered if each.get("type") == "array"]
    if len(lists) != len(arrays):
        yield f"{place} is {len(lists)} lists, not {len(arrays)}"
    for item, items in zip(lists, arrays):
        yield from differences(item, items, document, f"{place}[]")
    maps = [each for each in hints if is_typeddict(each) or get_origin(each) in (dict, Mapping)]
    objects = [each for each in offered if each.get("type") == "object"]
    if len(maps) != len(objects):
        yield f"{place} is {len(maps)} objects, not {len(objects)}"
    for each, described in zip(maps, objects):
        if "properties" in described and is_typeddict(each):
            yield from field_differences(each, described, document, place)
        elif "properties" in described:
            yield f"{place} has no names"
        elif isinstance(described.get("additionalProperties"), dict):
            yield from differences(get_args(each)[1], described["additionalProperties"], document, f"{place}{{}}")


def field_differences(kind: Any, schema: Schema, document: Schema, place: str) -> Iterator[str]:
    fields = {name: field for name, field in schema["properties"].items() if not is_ignored(field)}
    hints = get_type_hints(kind)
    if set(hints) != set(fields):
        yield f"{place} has {sorted(hints)}, not {sorted(fields)}"
    if set(kind.__required_keys__) != set(schema.get("required", [])):
        yield f"{place} needs {sorted(kind.__required_keys__)}, not {sorted(schema.get('required', []))}"
    for name in sorted(set(hints) & set(fields)):
        yield from differences(hints[name], fields[name], document, f"{place}.{name}")


ADMIN: Sequence[type] = (
    AdminBot,
    AdminBotChanges,
    AdminBotDetails,
    AdminChange,
    AdminDocumentRow,
    AdminFindings,
    AdminFleetBot,
    AdminGap,
    AdminJob,
    AdminKey,
    AdminNewBot,
    AdminQuestion,
    AdminRegistration,
    AdminRestoredBot,
    AdminRun,
    AdminRunSummary,
    AdminSource,
    AdminStatus,
    AdminVocabulary,
    AdminVocabularyInput,
)
TYPES: Sequence[tuple[Any, tuple[str, ...]]] = (
    (Article, ("Article",)),
    (NewArticle, ("ArticleCreate",)),
    (ArticleChanges, ("ArticleUpdate",)),
    (SearchResult, ("SearchResult",)),
    (Suggestion, ("Suggestion",)),
    (Preview, ("ArticlePreviewed", "properties", "data")),
    (BatchOperation, ("Batch", "properties", "operations", "items")),
    (FacetValue, ("QueryAnswered", "properties", "facets", "additionalProperties", "items")),
    (ResultGroup, ("ResultGroup",)),
    (Usage, ("UsageAnswered", "properties", "data")),
    (BatchResult, ("BatchAnswered", "properties", "results", "items")),
    (Violation, ("InvalidInput", "properties", "data", "properties", "result", "items")),
    *((kind, (kind.__name__,)) for kind in ADMIN),
)


@pytest.mark.parametrize(("kind", "path"), TYPES, ids=[path[0] for _, path in TYPES])
def test_types_are_those_of_the_document(document: Schema, kind: Any, path: tuple[str, ...]) -> None:
    assert list(differences(kind, schema_of(document, *path), document, path[0])) == []


def test_a_preview_takes_the_fields_of_a_create_and_of_an_update(document: Schema) -> None:
    variants = choices(document, schema_of(document, "ArticlePreview"))
    names = {name for variant in variants for name, field in variant["properties"].items() if not is_ignored(field)}
    assert set(get_type_hints(PreviewedArticle)) == names


@pytest.mark.parametrize("client", [LoredexClient, AsyncLoredexClient, LoredexAdmin, AsyncLoredexAdmin])
def test_a_search_takes_the_options_of_the_document(document: Schema, client: Any) -> None:
    # The id of a request is a header, the quality stands in the address: neither is an option.
    options = set(inspect.signature(client.search).parameters) - {"self", "bot", "query", "filters", "request_id", "quality"}
    named = {re.sub(r"_(\w)", lambda found: found[1].upper(), option) for option in options}
    assert named == set(schema_of(document, "SearchRequest", "properties", "options", "properties"))


def test_what_differs_is_found(document: Schema) -> None:
    def changed(change: Any, name: str = "Article") -> list[str]:
        other = copy.deepcopy(document)
        change(other["components"]["schemas"][name])
        return list(differences(Article, schema_of(other, "Article"), other, "Article"))

    for change, said in (
        (lambda article: article["properties"].update(author={"type": "string"}), "Article has"),
        (lambda article: article["properties"].pop("source"), "Article has"),
        (lambda article: article["required"].remove("body"), "Article needs"),
        (lambda article: article["properties"]["title"].update(type="integer"), "Article.title is ['string']"),
        (lambda article: article["properties"]["status"]["enum"].append("failed"), "Article.status is one of"),
        (lambda article: article["properties"]["source"].update(type=["string", "null"]), "Article.source is"),
    ):
        assert any(said in difference for difference in changed(change)), said
    assert "Article.activeOn[] needs" in changed(lambda named: named["items"]["required"].clear(), "ActiveOn")[0]
    assert "Article.metadata{} is" in changed(lambda named: named.update(additionalProperties={"type": "string"}), "Metadata")[0]
    assert changed(lambda article: None) == []
