"""The retriever in LangChain, against a server."""

from __future__ import annotations

import asyncio
import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from langchain_core.documents import Document
from langchain_core.load import dumps
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import ConfigurableField, RunnableLambda, RunnablePassthrough
from langchain_core.tools import create_retriever_tool
from loredex_client import Retriever
from pydantic import SecretStr, ValidationError

from langchain_loredex import LoredexError, LoredexRetriever, _retriever

from .conftest import BODY, Server


def test_gives_the_quoted_parts_with_their_lines(server: Server, key: str) -> None:
    [document] = LoredexRetriever(url=server.url, key=key, top_k=1).invoke("money back")
    id = document.metadata["document_id"]
    assert document.page_content == "You get your money back within 14 days."
    assert document.id == f"{id}#L3-L3"
    assert 0 < document.metadata.pop("score") <= 1
    assert document.metadata == {
        "title": "Refunds",
        "team": "billing",
        "document_id": id,
        "document_type": "EXTERNAL",
        "source": "https://example.com/refunds",
        "url": "https://example.com/refunds",
        "lines": [[3, 3]],
    }


def test_the_same_in_asyncio_and_in_batches(server: Server, key: str) -> None:
    retriever = LoredexRetriever(url=server.url, key=SecretStr(key))
    questions = ["money back", "when do parcels arrive?", "xyzzy"]
    one_by_one = [retriever.invoke(question) for question in questions]
    assert [len(documents) for documents in one_by_one] == [1, 1, 0]
    assert retriever.batch(questions) == one_by_one
    # Each has an event loop of its own.
    assert asyncio.run(retriever.abatch(questions)) == one_by_one
    assert [asyncio.run(retriever.ainvoke(question)) for question in questions] == one_by_one
    asyncio.run(retriever.aclose())


def test_gives_whole_documents_and_takes_filters(server: Server, key: str) -> None:
    filters = {"metaData.team": "billing"}
    [document] = LoredexRetriever(url=server.url, key=key, content="whole", filters=filters).invoke("when do refunds come?")
    assert (document.page_content, document.id) == (BODY, document.metadata["document_id"])


def test_in_a_chain_as_a_tool_and_configured_for_a_call(server: Server, key: str) -> None:
    retriever = LoredexRetriever(url=server.url, key=key)
    prompt = ChatPromptTemplate.from_messages([("system", "{context}"), ("human", "{question}")])
    context = retriever | RunnableLambda(_joined)
    chain = {"context": context, "question": RunnablePassthrough()} | prompt
    [system, human] = chain.invoke("money back").to_messages()
    assert (system.content, human.content) == ("You get your money back within 14 days.", "money back")
    tool = create_retriever_tool(retriever, "help", "Searches the help.")
    assert tool.invoke({"query": "money back"}) == "You get your money back within 14 days."
    team = retriever.configurable_fields(filters=ConfigurableField(id="filters"))
    assert team.invoke("money back", {"configurable": {"filters": {"metaData.team": "parcels"}}}) == []


def _joined(documents: list[Document]) -> str:
    return "\n".join(document.page_content for document in documents)


def test_an_error_says_what_to_do(server: Server, key: str) -> None:
    with pytest.raises(LoredexError, match="^query must have at least 1 character$"):
        LoredexRetriever(url=server.url, key=key).invoke("")
    with pytest.raises(LoredexError, match="A valid API key is required"):
        asyncio.run(LoredexRetriever(url=server.url, key="nobody").ainvoke("money"))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"topK": 3}, "Extra inputs are not permitted"),
        ({"top_k": 0}, "top_k must be a whole number from 1 to 100: 0"),
        ({"score_min": 2}, "score_min must be a number from 0 to 1: 2"),
        ({"content": "lines"}, "Input should be 'parts', 'passages', 'sections', 'pages' or 'whole'"),
        ({"filters": ["a"]}, "filters"),
        ({"url": "example.com"}, "base_url must be an http or https address"),
    ],
)
def test_refuses_wrong_fields(wrong: dict[str, object], said: str) -> None:
    fields = {"url": "http://127.0.0.1:1", "key": "secret-key", **wrong}
    with pytest.raises(ValueError, match=said) as caught:
        LoredexRetriever(**cast(Any, fields))
    assert "secret-key" not in str(caught.value)


def test_fields_cannot_be_changed_without_effect() -> None:
    retriever = LoredexRetriever(url="http://127.0.0.1:1", key="k")
    with pytest.raises(ValidationError, match="frozen"):
        retriever.top_k = 9


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
    options = {name: each.default for name, each in inspect.signature(Retriever).parameters.items() if each.kind == each.KEYWORD_ONLY}
    fields = {name: field.default for name, field in LoredexRetriever.model_fields.items() if name in options}
    assert {**options, "filters": {}} == {**fields, "filters": {}}
    assert given.keys() == options.keys()
    made: list[object] = []
    monkeypatch.setattr(_retriever, "Retriever", lambda *address, **told: made.append((address, told)))
    LoredexRetriever(url="http://a.test", key="k", **cast(Any, given))
    assert made == [(("http://a.test", "k"), given)]


def test_the_key_is_in_nothing_that_is_printed_or_traced() -> None:
    retriever = LoredexRetriever(url="http://127.0.0.1:1", key="secret-key")
    shown = [repr(retriever), str(retriever), str(retriever.key), dumps(retriever), repr(retriever.model_dump()), retriever.model_dump_json()]
    assert [each for each in shown if "secret-key" in each] == []


def test_nobody_but_the_server_is_asked(server: Server, key: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import asyncio, sys\n"
        "asked = set()\n"
        "sys.addaudithook(lambda event, given: asked.add(given[1]) if event == 'socket.connect' else None)\n"
        "from langchain_loredex import LoredexRetriever\n"
        "retriever = LoredexRetriever(url=sys.argv[1], key=sys.argv[2])\n"
        "assert retriever.invoke('money back') == asyncio.run(retriever.ainvoke('money back')) != []\n"
        "print(*(f'http://{host}:{port}' for host, port in asked))\n",
        "utf-8",
    )
    # With the variables of LangSmith set, LangChain sends it what was asked and found.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LANGCHAIN_", "LANGSMITH_"))}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    ran = subprocess.run([sys.executable, str(program), server.url, key], env=environment, capture_output=True, text=True, check=False)
    assert (ran.stdout.strip(), ran.stderr) == (server.url, "")
