import { readXml } from "../office/xml.ts";
import type { Styles } from "./styles.ts";

interface Level {
  readonly level: string | undefined;
  format: string | undefined;
  style: string | undefined;
}

/** A list as it is defined: its levels, or the style that another definition of it has. */
interface Definition {
  readonly levels: Level[];
  styleLink: string | undefined;
}

const NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/**
 * The part of a document that says what its lists look like, as mammoth is to see it: each list names the definition that has its levels. A program
 * may have a style stand between them, which names another list, and so on: mammoth calls itself for each of these, and fails for a style that is not
 * there. A list that leads to no levels is none.
 * @param xml has been read once: it is whole
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

/** Which definition each list has in the end. Each step is taken once for all lists. */
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
      // A list that leads to itself has none: it stays so until the end of its way is known.
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
