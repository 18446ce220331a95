import { oneLine } from "../tree.ts";
import { wordsOf } from "../words.ts";
import type { PageFacts } from "./page-facts.ts";

/** Separators between a title and the name of the site. Longer texts than titles are not checked. */
const PARTING = / [|·•»«›‹—–~-] | :: | \/ |[|»—]/;
const SITE_WORDS_MAX = 5;
const TITLE_CHARACTERS_MAX = 300;

/**
 * Finds the title of a page: the part that its own title shares with a heading of its content, without the name of the site. Of the headings, `first` is of any
 * level, `top` the first of level 1.
 */
export function pageTitle(
  { title, socialTitle, siteName }: PageFacts,
  { first, top: heading }: { readonly first?: string; readonly top?: string },
): string | undefined {
  const head = heading !== undefined && heading.length <= TITLE_CHARACTERS_MAX ? heading : undefined;
  if (title === undefined) return socialTitle ?? head;
  const whole = title.length > TITLE_CHARACTERS_MAX ? title.slice(0, TITLE_CHARACTERS_MAX) : title;
  const parts = whole
    .split(PARTING)
    .map(oneLine)
    .filter((part) => part !== "");
  const shared = parts.find((part) => [head, first].some((said) => said !== undefined && isAlike(part, said)));
  if (shared !== undefined) return shared;
  if (head !== undefined && wordsOf(head) !== "" && wordsOf(whole).startsWith(wordsOf(head))) return head;
  const own = parts.filter((part) => siteName === undefined || !isAlike(part, siteName));
  if (own.length === 0) return head ?? socialTitle ?? whole;
  if (own.length < parts.length) return own.length === 1 ? own[0] : withoutSite(whole, own);
  if (socialTitle !== undefined && wordsOf(whole).includes(wordsOf(socialTitle))) return socialTitle;
  return withoutSite(whole, parts);
}

/** Bars separate titles from site names; dashes occur within titles too. */
function withoutSite(whole: string, parts: readonly string[]): string {
  const last = parts.at(-1);
  const first = parts[0];
  if (last === undefined || first === undefined || parts.length < 2) return whole;
  const isSite = last.split(" ").length <= SITE_WORDS_MAX && /[|»·—]/.test(whole);
  return isSite && first.length >= 3 ? parts.slice(0, -1).join(" – ") : whole;
}

function isAlike(one: string, other: string): boolean {
  return wordsOf(one) === wordsOf(other);
}
