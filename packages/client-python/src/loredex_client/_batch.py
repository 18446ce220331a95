"""A batch, and its writes that the rate refuses: sent again as the service admits them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ._error import LoredexError, refusal_of
from ._steps import Patience, Send, Steps, Waits, answer_to, response_of, waited
from ._types import BatchOperation, BatchResult

WAIT_SECONDS_MAX = 7_200
"""The largest request body, written at the default rate of 15,000 characters a minute, takes 70 minutes."""


@dataclass(frozen=True)
class BatchProgress:
    """What a batch has done so far.

    ``done``: operations with their final result, of ``total``. ``results``: the results so far, one for each operation, in
    their order. A write that waits has its 429.
    """

    done: int
    total: int
    results: list[BatchResult]


@dataclass(frozen=True)
class BatchOptions:
    """``wait_seconds_max``: None for the client's own."""

    wait_seconds_max: float | None = None
    on_progress: Callable[[BatchProgress], None] | None = None


def batch(patience: Patience, operations: Sequence[BatchOperation], options: BatchOptions) -> Steps[list[BatchResult]]:
    """Sends all writes in one request, then each write that the rate refused again, in their order."""
    seconds_max = options.wait_seconds_max
    if seconds_max is not None:
        if not 0 <= seconds_max <= WAIT_SECONDS_MAX:
            raise ValueError(f"wait_seconds_max must be a number from 0 to {WAIT_SECONDS_MAX}, not {seconds_max}")
        patience = replace(patience, wait_seconds_max=seconds_max)
    waits = Waits()
    results = yield from _results_of(patience, operations, waits)
    total = len(operations)
    answered_at = waits.seconds
    again = [i for i in range(total) if _is_waiting(results[i]) and not _is_overtaken(operations, results, i)]

    def tell(left: int) -> None:
        if options.on_progress is not None:
            options.on_progress(BatchProgress(total - left, total, list(results)))

    tell(len(again))
    for done, i in enumerate(again, 1):
        # Time has passed since the first answer, if writes before it were waited for.
        refused_at = answered_at
        attempt = 1
        while _is_waiting(results[i]):
            error = refusal_of(response_of(results[i]))
            seconds = patience.seconds(error, attempt, False)
            if seconds is None or attempt >= patience.attempts_max:
                break
            left = refused_at + seconds - waits.seconds
            if left > 0 and not (yield from waited(left, error, patience, waits)):
                return results
            results[i] = (yield from _results_of(patience, operations[i : i + 1], waits))[0]
            refused_at = waits.seconds
            attempt += 1
        tell(len(again) - done)
    return results


def _results_of(patience: Patience, operations: Sequence[BatchOperation], waits: Waits) -> Steps[list[BatchResult]]:
    """Raises a LoredexError also if the answer has not one result for each operation."""
    is_repeatable = all(operation["op"] in ("update", "upsert") for operation in operations)
    sent = Send("POST", "/batch", {"operations": list(operations)}, is_repeatable=is_repeatable)
    answer = yield from answer_to(sent, patience, waits)
    results = answer.json.get("results") if isinstance(answer.json, dict) else None
    if not isinstance(results, list) or len(results) != len(operations) or not all(isinstance(each, dict) for each in results):
        raise LoredexError("The answer is not from Loredex: it must have one result for each operation.")
    return cast("list[BatchResult]", results)


def _is_waiting(result: BatchResult) -> bool:
    """Whether the rate has refused the write, and the service has told when it can succeed."""
    return result.get("status") == 429 and "body" in result and isinstance(result.get("retryAfter"), int)


def _is_overtaken(operations: Sequence[BatchOperation], results: Sequence[BatchResult], at: int) -> bool:
    """Whether a later write of the batch has changed the same article: sent again, this one would undo it."""
    article = _article_of(operations[at])
    later = range(at + 1, len(operations))
    return article is not None and any(
        results[i].get("status") == 200 and _article_of(operations[i]) == article for i in later
    )


def _article_of(operation: BatchOperation) -> str | None:
    """A text that is equal for operations that name the same article in the same way; None for a create."""
    if operation["op"] == "create":
        return None
    if operation["op"] != "upsert":
        return json.dumps(operation["id"])
    by = operation["by"]
    metadata = operation["article"].get("metadata") or {}
    return json.dumps([[key, metadata.get(key)] for key in sorted([by] if isinstance(by, str) else by)])
