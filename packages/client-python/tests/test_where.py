"""The functions that make filters."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest

from loredex_client import SearchFilter, where


def test_each_operator_has_a_function() -> None:
    made: list[tuple[SearchFilter, object]] = [
        (where.eq("type", "PDF"), {"type": {"eq": "PDF"}}),
        (where.ne("url", "x"), {"url": {"ne": "x"}}),
        (where.in_("metaData.a", (1, "x", True)), {"metaData.a": {"in": [1, "x", True]}}),
        (where.nin("metaData.a", [1]), {"metaData.a": {"nin": [1]}}),
        (where.gt("metaData.a", 1), {"metaData.a": {"gt": 1}}),
        (where.gte("metaData.a", "2020-01-01"), {"metaData.a": {"gte": "2020-01-01"}}),
        (where.lt("metaData.a", date(2020, 1, 2)), {"metaData.a": {"lt": "2020-01-02"}}),
        (where.lte("metaData.a", datetime(2020, 1, 2, 3, 4, 5)), {"metaData.a": {"lte": "2020-01-02T03:04:05"}}),
        (where.exists("url"), {"url": {"exists": True}}),
        (where.exists("url", False), {"url": {"exists": False}}),
        (where.contains("url", "x"), {"url": {"contains": "x"}}),
        (where.starts_with("url", "x"), {"url": {"startsWith": "x"}}),
    ]
    for filter, expected in made:
        assert filter == expected
    zone = timezone(timedelta(hours=2))
    assert where.gt("url", datetime(2020, 1, 2, tzinfo=zone)) == {"url": {"gt": "2020-01-02T00:00:00+02:00"}}


def test_groups_hold_filters() -> None:
    one, other = where.eq("type", "PDF"), where.exists("url")
    assert where.and_(one, where.or_(other, where.not_(one))) == {"and": [one, {"or": [other, {"not": one}]}]}


def test_a_text_is_no_list_of_values() -> None:
    with pytest.raises(TypeError, match="must be a list"):
        where.in_("type", "PDF")


def test_a_value_of_another_type_is_refused_by_its_name() -> None:
    day: Any = date(2020, 1, 2)
    for make in (where.eq, where.ne):
        with pytest.raises(TypeError, match="a date is compared by gt"):
            make("type", day)
    with pytest.raises(TypeError, match="a date is compared by gt"):
        where.in_("type", [day])
