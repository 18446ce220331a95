import { readJson } from "@loredex/core";
import { attribute, elementsBelow, type HtmlParent, textIn } from "../tree.ts";

/** A schema.org object, as the page writes it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Maximum objects read from one page. */
const OBJECTS_MAX = 50_000;

/** Returns all objects in the page's JSON-LD, nested ones too, in page order. Unreadable JSON is left out. */
export function jsonLdOf(page: HtmlParent): JsonObject[] {
  const found: JsonObject[] = [];
  for (const script of elementsBelow(page)) {
    if (script.tagName !== "script" || !/^application\/ld\+json\b/i.test(attribute(script, "type") ?? "")) continue;
    const ahead: unknown[] = [parsed(textIn(script, () => true))];
    while (ahead.length > 0 && found.length < OBJECTS_MAX) {
      const value = ahead.pop();
      if (typeof value !== "object" || value === null) continue;
      if (isObject(value)) found.push(value);
      const inner: unknown[] = Object.values(value);
      for (let at = inner.length - 1; at >= 0; at--) ahead.push(inner[at]);
    }
  }
  return found;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A type may be one of several, and may be an address. */
export function isOfType(object: JsonObject, ...types: readonly string[]): boolean {
  return listOf(object["@type"]).some(
    (name) => typeof name === "string" && types.includes(name.replace(/^.*[/#:]/, "")),
  );
}

export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function parsed(text: string): unknown {
  try {
    return readJson(text.replace(/^\s*(?:<!--|\/\/<!\[CDATA\[|<!\[CDATA\[)|(?:-->|\/\/\]\]>|\]\]>)\s{0,100}$/g, ""));
  } catch {
    return undefined;
  }
}
