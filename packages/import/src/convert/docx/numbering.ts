import { readXml } from "../office/xml.ts";
import type { Styles } from "./styles.ts";

interface Level {
  readonly level: string | undefined;
  format: string | undefined;
  style: string | undefined;
}

/** The definition of a list: its levels, or a style whose definition has them. */
interface Definition {
  readonly levels: Level[];
  styleLink: string | undefined;
}

const NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/**
 * Rewrites the numbering part of a document for mammoth: each list names the definition that has its levels. In a file, a style that names another list may
 * stand between them, and so on. Mammoth follows such chains recursively, and fails for a missing style. A list that leads to no levels is left out.
 * @param xml well-formed XML, read once before
 */
export function preparedNumbering(xml: string, styles: Pick<Styles, "listOf">): string {
  const { definitions, lists } = readNumbering(xml);
  const found = definitionsOf(lists, definitions, styles);
  const definition = ([id, { levels }]: [string, Definition]): string =>
    `<w:abstractNum w:abstractNumId="${escaped(id)}">${levels.map(levelXml).join("")}</w:abstractNum>`;
  const list = ([id, last]: [string, string]): string =>
    `<w:num w:numId="${escaped(id)}"><w:abstractNumId w:val="${escaped(last)}"/></w:num>`;
  return `<w:numbering xmlns:w="${NAMESPACE}">${[...definitions].map(definition).join("")}${[...found].map(list).join("")}</w:numbering>`;
}

interface Numbering {
  readonly definitions: ReadonlyMap<string, Definition>;
  /** The definition of each list. */
  readonly lists: ReadonlyMap<string, string>;
}

function readNumbering(xml: string): Numbering {
  const definitions = new Map<string, Definition>();
  const lists = new Map<string, string>();
  let definition: Definition | undefined;
  let level: Level | undefined;
  let list: string | undefined;
  readXml(xml, {
    open: (name, attribute) => {
      if (name === "abstractNum") {
        definition = { levels: [], styleLink: undefined };
        definitions.set(attribute("abstractNumId") ?? "", definition);
      } else if (name === "num") list = attribute("numId");
      else if (name === "abstractNumId" && list !== undefined) lists.set(list, attribute("val") ?? "");
      else if (name === "numStyleLink" && definition !== undefined) definition.styleLink = attribute("val");
      else if (name === "lvl" && definition !== undefined) {
        level = { level: attribute("ilvl"), format: undefined, style: undefined };
        definition.levels.push(level);
      } else if (name === "numFmt" && level !== undefined) level.format = attribute("val");
      else if (name === "pStyle" && level !== undefined) level.style ??= attribute("val");
    },
    close: (name) => {
      if (name === "abstractNum") definition = undefined;
      if (name === "lvl") level = undefined;
      if (name === "num") list = undefined;
    },
  });
  return { definitions, lists };
}

/** Resolves the definition of each list. Each step is taken once for all lists. */
function definitionsOf(
  lists: ReadonlyMap<string, string>,
  definitions: ReadonlyMap<string, Definition>,
  { listOf }: Pick<Styles, "listOf">,
): ReadonlyMap<string, string> {
  const last = new Map<string, string | undefined>();
  for (const start of lists.keys()) {
    const way: string[] = [];
    let end: string | undefined;
    for (let list: string | undefined = start; list !== undefined; ) {
      if (last.has(list)) {
        end = last.get(list);
        break;
      }
      // A list in a cycle has no definition: this stays undefined until its end is known.
      last.set(list, undefined);
      way.push(list);
      const id = lists.get(list);
      const styleLink = id === undefined ? undefined : definitions.get(id)?.styleLink;
      if (styleLink === undefined) {
        end = id;
        break;
      }
      list = listOf(styleLink);
    }
    for (const list of way) last.set(list, end);
  }
  return new Map([...last].flatMap(([list, id]) => (id === undefined ? [] : [[list, id] as const])));
}

function levelXml({ level, format, style }: Level): string {
  const at = level === undefined ? "" : ` w:ilvl="${escaped(level)}"`;
  const look = format === undefined ? "" : `<w:numFmt w:val="${escaped(format)}"/>`;
  return `<w:lvl${at}>${look}${style === undefined ? "" : `<w:pStyle w:val="${escaped(style)}"/>`}</w:lvl>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
