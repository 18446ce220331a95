import { signal } from "@preact/signals";
import { call, ofBot } from "../api/client.ts";
import type { Article } from "../api/types.ts";

/** How long an undo is offered. */
const UNDO_MS = 30_000;
/** How long a success is told. */
const UNDONE_MS = 8000;

export interface Deletion {
  readonly bot: string;
  readonly article: Article;
  /** Why it could not be undone. Its text then stays until it is. */
  readonly error?: Error;
}

/** Deleted articles that may come back, the last one first. */
export const deletions = signal<readonly Deletion[]>([]);
/** The last one that came back, for a message. */
export const undone = signal<Deletion | undefined>(undefined);
/** Grows with each change of documents, so that tables load again. */
export const documentChanges = signal(0);

export function noteDeletion(bot: string, article: Article): void {
  const deletion = { bot, article };
  undone.value = undefined;
  deletions.value = [deletion, ...deletions.value];
  setTimeout(() => drop(article.id, false), UNDO_MS);
  documentChanges.value += 1;
}

export async function undo(deletion: Deletion): Promise<void> {
  const { bot, article } = deletion;
  const { title, body, metadata, source, activeOn } = article;
  try {
    await call("POST", `${ofBot(bot, "articles")}?undo=true`, {
      body: { title, body, metadata, activeOn, ...(source !== undefined && { source }) },
      // A second try after a lost answer creates no second article.
      headers: { "idempotency-key": `undo-${article.id}` },
    });
    drop(article.id, true);
    undone.value = deletion;
    setTimeout(() => {
      if (undone.value === deletion) undone.value = undefined;
    }, UNDONE_MS);
    documentChanges.value += 1;
  } catch (error) {
    deletions.value = deletions.value.map((each) =>
      each.article.id === article.id ? { bot, article, error: error as Error } : each,
    );
  }
}

export function dismiss(deletion: Deletion): void {
  drop(deletion.article.id, true);
}

function drop(id: string, evenFailed: boolean): void {
  deletions.value = deletions.value.filter(
    ({ article, error }) => article.id !== id || (error !== undefined && !evenFailed),
  );
}
