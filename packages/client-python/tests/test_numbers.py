"""Numbers are written as the service, which is JavaScript, writes them: node says what is right."""

import json
import random
import struct
import subprocess

import pytest

from loredex_client import LoredexError, NewArticle
from loredex_client._calls import as_written
from loredex_client._numbers import number_text
from loredex_client._sync import wanted_by

EDGES = [0.0, -0.0, 7.0, 7.5, -3.25, 1e-6, 9.99e-7, 1e-7, 1.25e-7, 1e20, 1e21, 1e22, 5e-324, 1.7976931348623157e308]


def drawn_numbers() -> list[float]:
    draw = random.Random(15)
    numbers = [struct.unpack("<d", draw.randbytes(8))[0] for _ in range(1_000)]
    numbers += [(draw.random() - 0.5) * 10.0 ** draw.randint(-12, 25) for _ in range(1_000)]
    return EDGES + [number for number in numbers if abs(number) < float("inf")]


def test_numbers_are_written_as_javascript_writes_them() -> None:
    numbers = drawn_numbers()
    program = "const all = JSON.parse(require('fs').readFileSync(0, 'utf8')); console.log(JSON.stringify(all.map(String)));"
    answer = subprocess.run(["node", "-e", program], input=json.dumps(numbers), capture_output=True, text=True, check=True)
    assert [number_text(number) for number in numbers] == json.loads(answer.stdout)


def test_values_of_metadata_are_written_as_they_are_compared() -> None:
    assert [as_written(value) for value in (True, False, 7, 7.0, 10**22, 0.00001, "1e-05")] == [
        "true",
        "false",
        "7",
        "7",
        "1e+22",
        "0.00001",
        "1e-05",
    ]


def test_an_integer_that_would_be_another_is_refused_before_anything_is_sent() -> None:
    article: NewArticle = {"title": "a", "body": "b", "metadata": {"id": 2**53}}
    with pytest.raises(LoredexError, match="as a string"):
        wanted_by([article], "id", {})
    assert len(wanted_by([{**article, "metadata": {"id": 2**53 - 1}}], "id", {})) == 1
