import { useEffect, useRef, useState } from "preact/hooks";
import { call, get, ofBot } from "../../api/client.ts";
import type { Article, BotUsage, DocumentRow } from "../../api/types.ts";
import { ChangeButton } from "../../parts/change-button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Choice } from "../../parts/field.tsx";
import { Empty, ErrorNotice } from "../../parts/notice.tsx";
import { documentChanges, noteDeletion } from "../../state/deletions.ts";
import { number } from "../../state/formats.ts";
import { t } from "../../state/preferences.ts";
import { addressOf, editorOf, navigate } from "../../state/route.ts";
import { lastSave } from "../../state/saves.ts";
import { useAttempt } from "../../state/use-attempt.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { DocumentsTable } from "./documents-table.tsx";
import { ImportedDocument } from "./imported-document.tsx";
import { Uploads } from "./uploads.tsx";
import { useDocuments } from "./use-documents.ts";

const NEWEST_FIRST = "updatedAt:desc";

/** All documents of a bot: find, add, change, delete. */
export function Documents({ bot }: { bot: string }) {
  const words = t.value.knowledge;
  const [query, setQuery] = useState({ search: "", type: "", status: "", sort: NEWEST_FIRST });
  const [dialog, setDialog] = useState<{ readonly kind: "add" | "imported" | "remove"; readonly row?: DocumentRow }>();
  const { problem, attempt } = useAttempt();
  const documents = useDocuments(bot, query);
  const usage = useLoaded((signal) => get<BotUsage>(ofBot(bot, "usage"), signal), [bot, documentChanges.value]).data;
  const { total } = documents;
  const isFiltered = query.search !== "" || query.type !== "" || query.status !== "";
  const close = (): void => setDialog(undefined);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The control that led here is gone, as after an editor.
    if (document.activeElement === document.body) field.current?.focus({ preventScroll: true });
  }, []);
  const remove = (row: DocumentRow) =>
    attempt(async () => {
      if (row.isArticle) noteDeletion(bot, await deleteArticle(bot, row.id));
      else {
        await call("DELETE", ofBot(bot, "documents", row.id));
        documentChanges.value += 1;
      }
    });
  return (
    <>
      <div class="toolbar">
        <input
          ref={field}
          type="search"
          class="search-field"
          aria-label={words.search}
          placeholder={words.search}
          value={query.search}
          maxLength={200}
          onInput={(event) => setQuery({ ...query, search: event.currentTarget.value })}
        />
        <Choice
          label={words.type}
          value={query.type}
          onChange={(type) => setQuery({ ...query, type })}
          options={[["", words.all], ...Object.entries(words.types)]}
        />
        <Choice
          label={words.status}
          value={query.status}
          onChange={(status) => setQuery({ ...query, status })}
          options={[["", words.all], ...Object.entries(words.statuses).filter(([status]) => status !== "uploading")]}
        />
        <span class="spread" />
        <ChangeButton onClick={() => setDialog({ kind: "add" })}>{words.addFiles}</ChangeButton>
        <ChangeButton class="button button-strong" onClick={() => navigate(addressOf("knowledge/new"))}>
          {words.newArticle}
        </ChangeButton>
      </div>
      <Saved />
      <p class="muted facts">
        <span role="status">{total !== undefined && words.total(total)}</span>
        {usage !== undefined && <span>{words.usage(number(usage.characterUsed), number(usage.characterQuota))}</span>}
      </p>
      <ErrorNotice error={problem ?? documents.error} />
      {total === 0 && <Empty>{isFiltered ? words.none : words.empty}</Empty>}
      {total !== undefined && (
        <DocumentsTable
          documents={documents}
          total={total}
          sort={query.sort}
          onSort={(sort) => setQuery({ ...query, sort })}
          onEdit={(row) => (row.isArticle ? navigate(editorOf(row.id)) : setDialog({ kind: "imported", row }))}
          onDelete={(row) => (row.isArticle ? void remove(row) : setDialog({ kind: "remove", row }))}
        />
      )}
      {dialog?.kind === "add" && <Uploads bot={bot} onClose={close} />}
      {dialog?.kind === "imported" && dialog.row !== undefined && (
        <ImportedDocument bot={bot} row={dialog.row} onClose={close} />
      )}
      {dialog?.kind === "remove" && dialog.row !== undefined && (
        <Confirm
          title={words.removeTitle}
          hint={`${dialog.row.title ?? dialog.row.id} — ${words.removeHint}`}
          action={words.remove}
          onClose={close}
          onConfirm={() => dialog.row !== undefined && void remove(dialog.row)}
        />
      )}
    </>
  );
}

/** Says what was saved last, with the question that led to it. */
function Saved() {
  const saved = lastSave.value;
  useEffect(
    () => () => {
      lastSave.value = undefined;
    },
    [],
  );
  return (
    <div role="status" class="saved">
      {saved !== undefined && (
        <div class="notice notice-good">
          <p>{t.value.editor.saved}</p>
          {saved.question !== undefined && (
            <button
              type="button"
              class="button"
              onClick={() => navigate(addressOf("ask", { q: saved.question ?? "" }))}
            >
              {t.value.editor.tryIt}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** Deletes exactly the version that is kept for an undo. */
async function deleteArticle(bot: string, id: string): Promise<Article> {
  const path = ofBot(bot, "articles", id);
  const { data, etag } = await call<Article>("GET", path);
  await call("DELETE", path, etag === undefined ? {} : { headers: { "if-match": etag } });
  return data;
}
