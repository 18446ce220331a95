"""What calls of the admin API return beside the shapes of its JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._admin_types import AdminChange, AdminDocumentRow, AdminVocabulary


@dataclass(frozen=True)
class DocumentsPage:
    """A page of the table of all documents. ``total``: rows on all pages."""

    rows: list[AdminDocumentRow]
    total: int


@dataclass(frozen=True)
class VersionedVocabulary:
    """A bot's vocabulary, and the name of this version of it."""

    vocabulary: AdminVocabulary
    etag: str


@dataclass(frozen=True)
class VersionedGolden:
    """A bot's golden questions, and the name of this version of them."""

    questions: list[dict[str, Any]]
    etag: str


@dataclass(frozen=True)
class ChangesPage:
    """A page of the audit log. ``next``: what ``before`` is for the next page; ``None`` on the last one."""

    changes: list[AdminChange]
    next: int | None
