import { TITLE_SORTED_CHARACTERS_MAX } from "../model/limits.ts";
import type { ArticleSort } from "../model/options.ts";
import type { ArticleFields } from "../model/records.ts";

/** What a list is sorted by: a time in milliseconds, another number or name, or the beginning of a title in lower case. Ties are in the order of ids. */
export interface SortPlace {
  readonly key: number | string;
  readonly id: string;
}

/** The fields of an article that lists are sorted by. */
export type SortedFields = Pick<ArticleFields, "id" | "title" | "createdAtMs" | "updatedAtMs">;

/** An order of articles. The place of an article by `createdAt` never changes. */
export interface ArticleOrder {
  readonly keyOf: (fields: SortedFields) => SortPlace["key"];
  readonly compare: PlaceOrder;
}

/** Compares two places. Texts are compared by UTF-16 units, so that all nodes and versions agree. */
export type PlaceOrder = (a: SortPlace, b: SortPlace) => number;

export function articleOrder(sort: ArticleSort): ArticleOrder {
  return { keyOf: keyOf(sort), compare: placeOrder(sort) };
}

/** The order of a list whose `sort` ends with `:asc` or `:desc`. */
export function placeOrder(sort: string): PlaceOrder {
  const sign = sort.endsWith(":desc") ? -1 : 1;
  return (a, b) => (a.key === b.key ? (a.id < b.id ? -sign : a.id > b.id ? sign : 0) : a.key < b.key ? -sign : sign);
}

/** The key by which a title is sorted. */
export function titleKey(title: string): string {
  return title.slice(0, TITLE_SORTED_CHARACTERS_MAX).toLowerCase();
}

function keyOf(sort: ArticleSort): ArticleOrder["keyOf"] {
  switch (sort) {
    case "createdAt:asc":
    case "createdAt:desc":
      return ({ createdAtMs }) => createdAtMs;
    case "updatedAt:asc":
    case "updatedAt:desc":
      return ({ updatedAtMs }) => updatedAtMs;
    case "title:asc":
    case "title:desc":
      return ({ title }) => titleKey(title);
  }
}
