import { readXml } from "../office/xml.ts";

/** The role of a paragraph, by its style. */
export type Role =
  | "heading1"
  | "heading2"
  | "heading3"
  | "heading4"
  | "heading5"
  | "heading6"
  | "title"
  | "code"
  | "quote"
  | "left out";

/** Styles of a document, by id. */
export interface Styles {
  role(id: string): Role | undefined;
  /** The list that a list style names. */
  listOf(id: string): string | undefined;
}

interface Style {
  name: string;
  basedOn: string | undefined;
  /** 0 for the highest; 6 and more are text. */
  outlineLevel: number | undefined;
  list: string | undefined;
}

/** Tables of contents and of figures, and indexes: they match every question and answer none. */
const CONTENTS =
  /^(?:(?:toc|contents|index|table index|illustration index|user index|bibliography|object index|figure index) ?(?:\d{1,2}|heading)|table of (?:contents|figures|authorities)|toa heading|tocheading)$/;
const CODE =
  /^(?:.{0,40}\b)?(?:code|source code|preformatted(?: text)?|html preformatted|listing|verbatim|macro(?: text)?|plain text code)$/;
const QUOTE = /^(?:intense )?(?:quote|quotations?|block text|block quotation)$/;
/** Reads the styles. A style has one English name in every language of the program. */
export function readStyles(xml: string | undefined): Styles {
  const styles = new Map<string, Style>();
  let open: Style | undefined;
  if (xml !== undefined) {
    readXml(xml, {
      open: (name, attribute) => {
        if (name === "style") {
          open = { name: "", basedOn: undefined, outlineLevel: undefined, list: undefined };
          styles.set(attribute("styleId") ?? "", open);
        }
        if (open === undefined) return;
        if (name === "name") open.name = attribute("val")?.toLowerCase() ?? "";
        if (name === "basedOn") open.basedOn = attribute("val");
        if (name === "numId") open.list = attribute("val");
        if (name === "outlineLvl") open.outlineLevel = Number(attribute("val"));
      },
      close: (name) => {
        if (name === "style") open = undefined;
      },
    });
  }
  const known = new Map<string, Role | "text">();
  return {
    role: (id) => {
      const role = roleOf(id, styles, known);
      return role === "text" ? undefined : role;
    },
    listOf: (id) => styles.get(id)?.list,
  };
}

/** Returns the role of a style, or of the next style that it is based on. Each step is taken once for all styles: a file may chain any number of them. */
function roleOf(id: string, styles: ReadonlyMap<string, Style>, known: Map<string, Role | "text">): Role | "text" {
  const way: string[] = [];
  let role: Role | "text" | undefined;
  for (let next: string | undefined = id; next !== undefined && role === undefined; ) {
    role = known.get(next);
    if (role !== undefined) break;
    // A style in a cycle is text.
    known.set(next, "text");
    way.push(next);
    const style: Style | undefined = styles.get(next);
    role = style === undefined ? roleOfName(next.toLowerCase()) : ownRole(style);
    next = style?.basedOn;
  }
  for (const style of way) known.set(style, role ?? "text");
  return role ?? "text";
}

function ownRole({ name, outlineLevel }: Style): Role | "text" | undefined {
  const named = roleOfName(name);
  if (named === "left out" || named === "title") return named;
  return outlineLevel === undefined ? named : (headingRole(outlineLevel) ?? "text");
}

function roleOfName(name: string): Role | undefined {
  if (CONTENTS.test(name)) return "left out";
  if (name === "title") return "title";
  if (CODE.test(name)) return "code";
  if (QUOTE.test(name)) return "quote";
  const [, level] =
    /^(?:heading|überschrift|titre|título|titolo|kop|rubrik|nagłówek|заголовок|見出し|标题) ?(\d)$/.exec(name) ?? [];
  return level === undefined ? undefined : headingRole(Number(level) - 1);
}

/** The role of a paragraph at an outline level from 0. */
export function headingRole(level: number): Role | undefined {
  const roles = ["heading1", "heading2", "heading3", "heading4", "heading5", "heading6"] as const;
  return roles[level];
}
