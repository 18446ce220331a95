from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard, cast

import httpx

from ._shown import shown
from ._types import Violation

ARTICLE_NOT_FOUND = 20001
"""The code of the 404 that says that there is no such article."""
SEVERAL_ARTICLES = 20006
"""The code of the 409 that says that an upsert finds several articles."""


class LoredexError(Exception):
    """Whatever keeps a call from giving what it was asked for.

    ``status``: the HTTP status; None where no answer came. ``code``: the service's number for what was wrong, the same in
    all versions. ``violations``: every broken rule. ``is_too_long``: the answer had more bytes than ``answer_bytes_max``. ``retry_after_seconds``: when the same request can succeed, if the
    service says it. ``request_id``: names the request in the service's log. No text of it holds control characters: what a
    server sent of them is U+FFFD.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: int | None = None,
        violations: Sequence[Violation] = (),
        retry_after_seconds: int | None = None,
        request_id: str | None = None,
        is_too_long: bool = False,
    ) -> None:
        super().__init__(shown(message))
        self.message = shown(message)
        self.status = status
        self.code = code
        self.violations = [_shown_violation(violation) for violation in violations]
        self.retry_after_seconds = retry_after_seconds
        self.request_id = None if request_id is None else shown(request_id)
        self.is_too_long = is_too_long

    @property
    def is_worth_waiting(self) -> bool:
        """Whether the service has said when the same request can succeed."""
        return self.status in (429, 503) and self.retry_after_seconds is not None


def refusal_of(response: httpx.Response) -> LoredexError:
    """A 400 lists broken rules, a 429 may be plain text, all others hold ``error``."""
    said = json_of(response)
    error: object = said.get("error", said) if isinstance(said, dict) else None
    message = code = data = None
    if isinstance(error, dict):
        message, code, data = error.get("message"), error.get("code"), error.get("data")
    result = data.get("result") if isinstance(data, dict) else None
    return LoredexError(
        message if isinstance(message, str) else _sentence_of(response),
        status=response.status_code,
        code=code if isinstance(code, int) else None,
        violations=[each for each in result if _is_violation(each)] if isinstance(result, list) else (),
        retry_after_seconds=_seconds_of(response),
        request_id=response.headers.get("x-request-id"),
    )


def _is_violation(value: object) -> TypeGuard[Violation]:
    return isinstance(value, dict) and all(isinstance(value.get(name), str) for name in ("message", "field", "type"))


def _shown_violation(violation: Violation) -> Violation:
    return {"message": shown(violation["message"]), "field": shown(violation["field"]), "type": shown(violation["type"])}


def json_of(response: httpx.Response) -> object:
    """What the body holds; None where it is no JSON."""
    try:
        return cast(object, response.json())
    except ValueError:
        return None


def _sentence_of(response: httpx.Response) -> str:
    """The service's own sentence; a page that something between put in its place is not one."""
    if response.headers.get("content-type", "").startswith("text/plain") and response.text.strip():
        return response.text.strip()
    return f"The address answered {response.status_code} {response.reason_phrase}".strip() + ", and not as Loredex does."


def _seconds_of(response: httpx.Response) -> int | None:
    value = response.headers.get("retry-after", "")
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 9 else None
