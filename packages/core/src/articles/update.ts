import { characterCount } from "../model/characters.ts";
import type { ArticleFields } from "../model/records.ts";
import type { ActiveOn, Metadata } from "../model/types.ts";
import type { ArticleChanges } from "./shape.ts";

/** The article with its changes, or the very same object if they change nothing. */
export function changedArticle(old: ArticleFields, changes: ArticleChanges, nowMs: number): ArticleFields {
  const title = changes.title ?? old.title;
  const body = changes.body ?? old.body;
  const metadata = changes.metadata ?? old.metadata;
  const source = changes.source === undefined ? old.source : (changes.source ?? undefined);
  const activeOn = changes.activeOn ?? old.activeOn;
  // A field that an update can change does not compile without a line here. All other fields stay.
  const same: Readonly<Record<keyof ArticleChanges, boolean>> = {
    title: title === old.title,
    body: body === old.body,
    metadata: sameMetadata(metadata, old.metadata),
    source: source === old.source,
    activeOn: sameActiveOn(activeOn, old.activeOn),
  };
  if (Object.values(same).every((isSame) => isSame)) return old;
  const { source: _, ...others } = old;
  return {
    ...others,
    title,
    body,
    metadata,
    ...(source === undefined ? {} : { source }),
    activeOn,
    updatedAtMs: Math.max(nowMs, old.updatedAtMs),
    characterCount: characterCount(title) + characterCount(body),
  };
}

/** Whether both have the same keys with the same values, in any order. */
export function sameMetadata(a: Metadata, b: Metadata): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && Object.is(a[key], b[key]))
  );
}

function sameActiveOn(a: readonly ActiveOn[], b: readonly ActiveOn[]): boolean {
  return a.length === b.length && a.every((entry, i) => entry.agent === b[i]?.agent && entry.channel === b[i]?.channel);
}
