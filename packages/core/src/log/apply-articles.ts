import type { RecordOf } from "../model/records.ts";
import { versioned } from "./article-table.ts";
import type { IndexChange } from "./index-change.ts";
import type { BotState } from "./state.ts";

export function applyArticlePut(state: BotState, record: RecordOf<"articlePut">, sequence: number): IndexChange {
  const { article, charge, create } = record;
  const { id, createdAtMs } = article;
  const known = state.articles.get(id);
  const sameText = known !== undefined && known.fields.title === article.title && known.fields.body === article.body;
  const put = versioned(article, sameText ? known.version : sequence);
  state.lastChargeMs = Math.max(state.lastChargeMs, charge.atMs);
  state.window.add(charge.characters, state.lastChargeMs);
  state.byteWindow.add(put.bytes, state.lastChargeMs);
  state.characterUsed += article.characterCount - (known?.fields.characterCount ?? 0);
  state.lastCreatedAtMs = Math.max(state.lastCreatedAtMs, createdAtMs);
  if (!sameText) state.vectors.delete(id);
  state.articles.set(id, put);
  const { characterUsed } = state;
  if (create !== undefined) state.creates.add({ ...create, id, createdAtMs, characterUsed });
  return { kind: sameText ? "amend" : "index", id };
}

export function applyArticleDelete(state: BotState, { id }: RecordOf<"articleDelete">): IndexChange {
  const known = state.articles.get(id);
  if (known !== undefined) state.characterUsed -= known.fields.characterCount;
  state.articles.delete(id);
  state.vectors.delete(id);
  return { kind: "remove", id };
}
