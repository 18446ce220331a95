"""Functions that make filters of a search.

``where.and_(where.gte("metaData.year", 2020), where.not_(where.in_("metaData.team", ["sales", "front"])))``

A field is ``resourceDocId``, ``type``, ``status``, ``url`` or ``metaData.<key>``. Dates may be given as texts, dates and datetimes; one
without a zone is in UTC. Values are checked by the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Union, cast

from ._types import FilterValue, SearchFilter

Bound = Union[int, float, str, date]
"""A bound of a range. A ``datetime`` is a ``date``."""


def eq(field: str, value: FilterValue) -> SearchFilter:
    """The field equals the value, or is a list that holds it."""
    return _condition(field, "eq", _value(value))


def ne(field: str, value: FilterValue) -> SearchFilter:
    """The field does not equal the value. A missing field fits."""
    return _condition(field, "ne", _value(value))


def in_(field: str, values: Sequence[FilterValue]) -> SearchFilter:
    """The field equals one of 1 to 1,000 values."""
    return _condition(field, "in", _values(values))


def nin(field: str, values: Sequence[FilterValue]) -> SearchFilter:
    """The field equals none of 1 to 1,000 values. A missing field fits."""
    return _condition(field, "nin", _values(values))


def gt(field: str, bound: Bound) -> SearchFilter:
    return _condition(field, "gt", _bound(bound))


def gte(field: str, bound: Bound) -> SearchFilter:
    return _condition(field, "gte", _bound(bound))


def lt(field: str, bound: Bound) -> SearchFilter:
    return _condition(field, "lt", _bound(bound))


def lte(field: str, bound: Bound) -> SearchFilter:
    return _condition(field, "lte", _bound(bound))


def exists(field: str, wanted: bool = True) -> SearchFilter:
    """The field has a value; with ``False``: it has none."""
    return _condition(field, "exists", wanted)


def contains(field: str, text: str) -> SearchFilter:
    """The field is a text with this one in it, or a list that holds it."""
    return _condition(field, "contains", text)


def starts_with(field: str, text: str) -> SearchFilter:
    """The field, or an element of it, is a text that begins with this one."""
    return _condition(field, "startsWith", text)


def and_(*filters: SearchFilter) -> SearchFilter:
    """All of 1 to 50 filters hold."""
    return {"and": list(filters)}


def or_(*filters: SearchFilter) -> SearchFilter:
    """One of 1 to 50 filters holds."""
    return {"or": list(filters)}


def not_(filter: SearchFilter) -> SearchFilter:
    """The filter does not hold."""
    return {"not": filter}


def _condition(field: str, operator: str, wanted: object) -> SearchFilter:
    return cast(SearchFilter, {field: {operator: wanted}})


def _values(values: Sequence[FilterValue]) -> list[FilterValue]:
    if isinstance(values, str):
        raise TypeError(f"the values must be a list, not the text {values!r}")
    return [_value(value) for value in values]


def _value(value: object) -> FilterValue:
    if isinstance(value, (str, int, float)):
        return value
    hint = "; a date is compared by gt, gte, lt and lte" if isinstance(value, date) else ""
    raise TypeError(f"a value must be a text, a number or a bool, not {value!r}{hint}")


def _bound(bound: Bound) -> int | float | str:
    return bound.isoformat() if isinstance(bound, date) else bound
