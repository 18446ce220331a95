import type { OfficeFile } from "./office-file.ts";
import { readXml } from "./xml.ts";

/** Properties of an office file, as metaData. */
export interface OfficeProperties {
  readonly title?: string;
  readonly author?: string;
  /** The date of the last change, or else of the creation: an ISO date. */
  readonly date?: string;
  readonly description?: string;
  readonly keywords?: string;
}

const PROPERTIES_PART = "docProps/core.xml";

const NAMES = new Map([
  ["title", "title"],
  ["creator", "author"],
  ["modified", "date"],
  ["created", "created"],
  ["description", "description"],
  ["keywords", "keywords"],
]);

const VALUE_CHARACTERS_MAX = 1_000;

export function propertiesOf(file: OfficeFile): OfficeProperties {
  const xml = file.xml(PROPERTIES_PART);
  const found: Record<string, string> = {};
  if (xml === undefined) return found;
  let key: string | undefined;
  readXml(xml, {
    open: (name) => {
      key = NAMES.get(name);
    },
    close: () => {
      key = undefined;
    },
    text: (text) => {
      if (key !== undefined) found[key] = (found[key] ?? "") + text;
    },
  });
  const { created, date = created, ...others } = found;
  const properties: Record<string, string> = date === undefined ? {} : { date: date.trim().slice(0, 10) };
  for (const [name, value] of Object.entries(others)) {
    const text = value.replace(/\s+/g, " ").trim().slice(0, VALUE_CHARACTERS_MAX);
    if (text !== "") properties[name] = text;
  }
  return properties;
}
