import { attribute, elementsBelow, type HtmlElement, type HtmlParent, oneLine, textIn } from "../tree.ts";
import { isObject, isOfType, type JsonObject, listOf, stringOf } from "./json-ld.ts";

/** Facts that a page states about itself beside its content. */
export interface PageFacts {
  readonly title?: string;
  readonly socialTitle?: string;
  readonly siteName?: string;
  /** Entries for metaData, each only if the page states it. */
  readonly told: Readonly<Record<string, string>>;
  readonly base?: string;
  readonly isNofollow: boolean;
}

const CHARACTERS_MAX = 2_000;
const ARTICLES = [
  "Article",
  "NewsArticle",
  "BlogPosting",
  "TechArticle",
  "WebPage",
  "HowTo",
  "Report",
  "ScholarlyArticle",
];

export function pageFacts(page: HtmlParent, objects: readonly JsonObject[]): PageFacts {
  const metas = new Map<string, string>();
  const found: Partial<Record<"title" | "canonical" | "base" | "language", string | undefined>> = {};
  for (const element of elementsBelow(page, ({ tagName }) => tagName !== "svg")) {
    switch (element.tagName) {
      case "html":
        found.language ??= given(attribute(element, "lang") ?? attribute(element, "xml:lang"));
        break;
      case "title":
        found.title ??= given(textIn(element, () => true));
        break;
      case "base":
        found.base ??= given(attribute(element, "href"));
        break;
      case "link":
        if (/\bcanonical\b/i.test(attribute(element, "rel") ?? ""))
          found.canonical ??= given(attribute(element, "href"));
        break;
      case "meta":
        takeMeta(element, metas);
    }
  }
  const article = objects.find((object) => isOfType(object, ...ARTICLES));
  const told = {
    description: [metas.get("description"), metas.get("og:description")].find((text) => text !== found.title),
    language: found.language ?? metas.get("content-language") ?? metas.get("og:locale"),
    author: metas.get("author") ?? person(metas.get("article:author")) ?? authorOf(article),
    date:
      metas.get("article:published_time") ??
      metas.get("date") ??
      metas.get("dcterms.date") ??
      stringOf(article?.datePublished),
    modified: metas.get("article:modified_time") ?? metas.get("last-modified") ?? stringOf(article?.dateModified),
    canonical: found.canonical?.startsWith("http") ? found.canonical : undefined,
  };
  return {
    ...optional("title", found.title),
    ...optional("socialTitle", metas.get("og:title") ?? metas.get("twitter:title")),
    ...optional("siteName", metas.get("og:site_name") ?? metas.get("application-name")),
    ...optional("base", found.base),
    told: Object.fromEntries(
      Object.entries(told).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    isNofollow: /\b(?:nofollow|none)\b/i.test(metas.get("robots") ?? ""),
  };
}

function takeMeta(element: HtmlElement, metas: Map<string, string>): void {
  const name = attribute(element, "name") ?? attribute(element, "property") ?? attribute(element, "http-equiv");
  const value = given(attribute(element, "content"));
  if (name === undefined || value === undefined) return;
  const known = name.trim().toLowerCase();
  if (!metas.has(known)) metas.set(known, value);
}

function given(text: string | undefined): string | undefined {
  const line = oneLine((text ?? "").slice(0, 10 * CHARACTERS_MAX)).slice(0, CHARACTERS_MAX);
  return line === "" ? undefined : line;
}

/** Some pages give an address as their author. */
function person(written: string | undefined): string | undefined {
  return written === undefined || /^https?:/i.test(written) ? undefined : written;
}

function authorOf(article: JsonObject | undefined): string | undefined {
  const names = listOf(article?.author).flatMap((author) => stringOf(isObject(author) ? author.name : author) ?? []);
  return names.length === 0 ? undefined : names.slice(0, 20).join(", ");
}

function optional<Name extends string>(name: Name, value: string | undefined): { readonly [key in Name]?: string } {
  const given: { [key in Name]?: string } = {};
  if (value !== undefined) given[name] = value;
  return given;
}

/** Returns the first non-empty heading of the content, and the first one of level 1. */
export function firstHeadings(content: HtmlParent): { readonly first?: string; readonly top?: string } {
  let first: string | undefined;
  for (const element of elementsBelow(content)) {
    if (!/^h[1-6]$/.test(element.tagName)) continue;
    const text = oneLine(textIn(element))
      .replace(/[¶#§]$/u, "")
      .trim();
    if (text === "") continue;
    first ??= text;
    if (element.tagName === "h1") return { first, top: text };
  }
  return first === undefined ? {} : { first };
}
