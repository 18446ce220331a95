"""The retriever in LlamaIndex, against a server."""

from __future__ import annotations

import asyncio
import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode
from llama_index.core.schema import MetadataMode, QueryBundle, TextNode
from llama_index.retrievers.loredex import LoredexError, LoredexRetriever, _retriever
from loredex_client import Retriever

from .conftest import BODY, Server


def test_gives_the_quoted_parts_with_their_lines(server: Server, key: str) -> None:
    [found] = LoredexRetriever(server.url, key, top_k=1).retrieve("money back")
    node = found.node
    assert isinstance(node, TextNode)
    id = node.metadata["document_id"]
    assert (node.text, node.node_id, node.ref_doc_id) == ("You get your money back within 14 days.", f"{id}#L3-L3", id)
    assert found.score is not None and 0 < found.score <= 1
    assert node.metadata == {
        "title": "Refunds",
        "team": "billing",
        "document_id": id,
        "document_type": "EXTERNAL",
        "source": "https://example.com/refunds",
        "url": "https://example.com/refunds",
        "score": found.score,
        "lines": [[3, 3]],
    }


def test_a_model_sees_the_title_the_address_and_the_lines(server: Server, key: str) -> None:
    [found] = LoredexRetriever(server.url, key).retrieve("money back")
    shown = found.node.get_content(MetadataMode.LLM)
    assert sorted(shown.split("\n")) == [
        "",
        "You get your money back within 14 days.",
        "lines: [[3, 3]]",
        "title: Refunds",
        "url: https://example.com/refunds",
    ]


def test_gives_each_part_of_a_document(server: Server, key: str) -> None:
    found = LoredexRetriever(server.url, key).retrieve("money and sale items")
    assert sorted(each.node.node_id.partition("#")[2] for each in found) == ["L3-L3", "L5-L5"]


def test_the_same_in_asyncio(server: Server, key: str) -> None:
    retriever = LoredexRetriever(server.url, key)
    wanted = retriever.retrieve(QueryBundle("money back"))
    assert len(wanted) == 1
    # Each has an event loop of its own.
    for _ in range(2):
        assert asyncio.run(retriever.aretrieve("money back")) == wanted
    asyncio.run(retriever.aclose())


def test_gives_whole_documents_and_takes_filters(server: Server, key: str) -> None:
    [found] = LoredexRetriever(server.url, key, content="whole", filters={"metaData.team": "billing"}).retrieve("when do refunds come?")
    assert (found.node.get_content(), found.node.node_id) == (BODY, found.node.ref_doc_id)


def test_in_a_query_engine(server: Server, key: str) -> None:
    retriever = LoredexRetriever(server.url, key)
    engine = RetrieverQueryEngine.from_args(retriever, llm=MockLLM(), response_mode=ResponseMode.COMPACT)
    answer = engine.query("money back")
    # The model that repeats what it is asked.
    assert "You get your money back within 14 days." in str(answer)
    assert [source.node.metadata["lines"] for source in answer.source_nodes] == [[[3, 3]]]


def test_an_error_says_what_to_do(server: Server, key: str) -> None:
    with pytest.raises(LoredexError, match="^query must have at least 1 character$"):
        LoredexRetriever(server.url, key).retrieve("")
    with pytest.raises(LoredexError, match="A valid API key is required"):
        asyncio.run(LoredexRetriever(server.url, "nobody").aretrieve("money"))


def test_refuses_wrong_options() -> None:
    with pytest.raises(ValueError, match="^top_k must be a whole number from 1 to 100: 0$"):
        LoredexRetriever("http://127.0.0.1:1", "k", top_k=0)
    with pytest.raises(TypeError, match="topK"):
        LoredexRetriever("http://127.0.0.1:1", "k", **cast(Any, {"topK": 3}))


def test_has_all_options_and_hands_them_on(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, object] = {
        "top_k": 7,
        "score_min": 0.5,
        "content": "whole",
        "context_characters": 300,
        "filters": {"type": "QNA", "metaData.open": True},
        "include_faqs": False,
        "only_active_intents": True,
        "attempts_max": 2,
        "wait_seconds_max": 3.0,
        "timeout_seconds": 4.0,
    }
    options = {name: each for name, each in inspect.signature(Retriever).parameters.items() if each.kind == each.KEYWORD_ONLY}
    ours = {name: each for name, each in inspect.signature(LoredexRetriever).parameters.items() if name in options}
    assert options == ours
    assert given.keys() == options.keys()
    made: list[object] = []
    monkeypatch.setattr(_retriever, "Retriever", lambda *address, **told: made.append((address, told)))
    LoredexRetriever("http://a.test", "k", **cast(Any, given))
    assert made == [(("http://a.test", "k"), given)]


def test_nobody_but_the_server_is_asked(server: Server, key: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import asyncio, sys\n"
        "asked = set()\n"
        "sys.addaudithook(lambda event, given: asked.add(given[1]) if event == 'socket.connect' else None)\n"
        "from llama_index.retrievers.loredex import LoredexRetriever\n"
        "retriever = LoredexRetriever(sys.argv[1], sys.argv[2])\n"
        "assert retriever.retrieve('money back') == asyncio.run(retriever.aretrieve('money back')) != []\n"
        "print(*(f'http://{host}:{port}' for host, port in asked))\n",
        "utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, str(program), server.url, key], env=environment, capture_output=True, text=True, check=False)
    assert (ran.stdout.strip(), ran.stderr) == (server.url, "")
