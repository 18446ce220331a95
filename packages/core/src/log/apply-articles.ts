import { articleBytes } from "../model/article-bytes.ts";
import type { ArticleFields, RecordOf } from "../model/records.ts";
import { versioned } from "./article-table.ts";
import type { IndexChange } from "./index-change.ts";
import type { BotState } from "./state.ts";

export function applyArticlePut(state: BotState, record: RecordOf<"articlePut">, sequence: number): IndexChange {
  state.lastChargeMs = Math.max(state.lastChargeMs, record.charge.atMs);
  state.window.add(record.charge.characters, state.lastChargeMs);
  state.byteWindow.add(articleBytes(record.article), state.lastChargeMs);
  const change = putArticle(state, record.article, sequence);
  const { id, createdAtMs } = record.article;
  const { characterUsed } = state;
  if (record.create !== undefined) state.creates.add({ ...record.create, id, createdAtMs, characterUsed });
  return change;
}

function putArticle(state: BotState, article: ArticleFields, sequence: number): IndexChange {
  const known = state.articles.get(article.id);
  const sameText = known !== undefined && known.fields.title === article.title && known.fields.body === article.body;
  state.characterUsed += article.characterCount - (known?.fields.characterCount ?? 0);
  state.lastCreatedAtMs = Math.max(state.lastCreatedAtMs, article.createdAtMs);
  if (!sameText) state.vectors.delete(article.id);
  state.articles.set(article.id, versioned(article, sameText ? known.version : sequence));
  return { kind: sameText ? "amend" : "index", id: article.id };
}

export function applyArticleDelete(state: BotState, { id }: RecordOf<"articleDelete">): IndexChange {
  const known = state.articles.get(id);
  if (known !== undefined) state.characterUsed -= known.fields.characterCount;
  state.articles.delete(id);
  state.vectors.delete(id);
  return { kind: "remove", id };
}
