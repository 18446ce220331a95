import { TITLE_SORTED_CHARACTERS_MAX } from "../model/limits.ts";
import type { ArticleSort } from "../model/options.ts";
import type { ArticleFields } from "../model/records.ts";

/** What articles are sorted by: a time in milliseconds, or the beginning of a title in lower case. Ties are in the order of ids. */
export interface SortPlace {
  readonly key: number | string;
  readonly id: string;
}

/** The fields of an article that lists are sorted by. */
export type SortedFields = Pick<ArticleFields, "id" | "title" | "createdAtMs" | "updatedAtMs">;

/** The place of an article in an order. That of `createdAt` never changes. */
export function sortPlace(fields: SortedFields, sort: ArticleSort): SortPlace {
  return { key: keyOf(fields, sort), id: fields.id };
}

function keyOf({ title, createdAtMs, updatedAtMs }: SortedFields, sort: ArticleSort): SortPlace["key"] {
  switch (sort) {
    case "createdAt:asc":
    case "createdAt:desc":
      return createdAtMs;
    case "updatedAt:asc":
    case "updatedAt:desc":
      return updatedAtMs;
    case "title:asc":
    case "title:desc":
      return title.slice(0, TITLE_SORTED_CHARACTERS_MAX).toLowerCase();
  }
}

/** Compares two places of one order. Texts are compared by UTF-16 units, so that all nodes and versions agree. */
export function comparePlaces(a: SortPlace, b: SortPlace, sort: ArticleSort): number {
  const difference = a.key < b.key ? -1 : a.key > b.key ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
  return sort.endsWith(":desc") ? -difference : difference;
}
