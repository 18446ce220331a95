import { Parser } from "saxen";
import { Fields, instructionOf, linkOf } from "./fields.ts";
import { headingRole, type Role, type Styles } from "./styles.ts";

/** The XML of a document, prepared for mammoth. */
export interface Prepared {
  readonly xml: string;
  /** The first paragraph that is a title, or else a heading of level 1. */
  readonly title: string | undefined;
  readonly heading: string | undefined;
  readonly hasHeadings: boolean;
}

/** Returns the style of a paragraph's role. */
export function styleOf(role: Role): string {
  return `Loredex${role.replace(" ", "")}`;
}

/**
 * Rewrites the XML of a document, with our own style for each paragraph that is more than text by its style or outline level. Formulas, which mammoth skips,
 * become text. Links within the document become their shown text. Content of elements that mammoth does not know is kept. The XML is well-formed: it was read
 * once before.
 */
export function prepared(xml: string, styles: Styles): Prepared {
  const writer = new Writer(styles);
  const parser = new Parser();
  parser.on("openTag", (name, attributes, decode, isSelfClosing) =>
    writer.open(name, attributes(), decode, isSelfClosing),
  );
  parser.on("closeTag", (name, _, isSelfClosing) => {
    if (!isSelfClosing || writer.isInFormula) writer.close(name);
  });
  parser.on("text", (text, decode) => writer.text(text, decode));
  parser.on("cdata", (text) => writer.text(escaped(text), () => text));
  parser.parse(xml);
  return writer.finish();
}

/** A paragraph while it is written: positions in the output, and facts about it. */
interface Paragraph {
  /** The position after its start tag, or after that of its properties. */
  place: number;
  hasProperties: boolean;
  style: string | undefined;
  outlineLevel: number | undefined;
  text: string;
  linked: number;
}

const PARAGRAPH_UNITS_MAX = 2_000;

/** Elements that mammoth skips with the text in them: a writing direction, and characters with their pronunciation. */
const WRAPPERS = new Set(["bdo", "dir", "ruby", "rubyBase"]);

class Writer {
  readonly #styles: Styles;
  readonly #out: string[] = [];
  readonly #paragraphs: Paragraph[] = [];
  readonly #links: boolean[] = [];
  /** Open parts that a program inserted: true for a table of contents. */
  readonly #inserted: boolean[] = [];
  readonly #fields = new Fields(this.#out);
  #formula: FormulaText | undefined;
  /** Names of the open elements. */
  readonly #path: string[] = [];
  #title: string | undefined;
  #heading: string | undefined;
  #hasHeadings = false;

  constructor(styles: Styles) {
    this.#styles = styles;
  }

  get isInFormula(): boolean {
    return this.#formula !== undefined;
  }

  open(
    full: string,
    attributes: Record<string, string>,
    decode: (text: string) => string,
    isSelfClosing: boolean,
  ): void {
    const name = localName(full);
    const value = (asked: string): string | undefined => {
      const found = Object.entries(attributes).find(([key]) => localName(key) === asked)?.[1];
      return found === undefined ? undefined : decode(found);
    };
    if (this.#formula !== undefined) {
      this.#formula.open(name, value);
      return;
    }
    if (name === "oMath" && !isSelfClosing) {
      this.#formula = new FormulaText();
      return;
    }
    if (name === "oMathPara") return;
    const isOwn = this.#path.at(-1) === "pPr" && this.#path.at(-2) === "p";
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph !== undefined) {
      if (isOwn && name === "pStyle") {
        paragraph.style = value("val");
        paragraph.place = this.#out.length;
      }
      if (isOwn && name === "outlineLvl") paragraph.outlineLevel = Number(value("val"));
      if (name === "tab" && this.#path.at(-1) === "r") this.#say("\t");
    }
    if (name === "fldChar") this.#fields.mark(value("fldCharType"));
    if (!isSelfClosing) this.#path.push(name);
    if (WRAPPERS.has(name)) return;
    if (name === "fldSimple") {
      if (!isSelfClosing) this.#out.push(simpleField(value("instr") ?? ""));
      return;
    }
    if (name === "sdt" && !isSelfClosing) this.#inserted.push(false);
    if (name === "docPartGallery" && value("val") === "Table of Contents")
      this.#inserted[this.#inserted.length - 1] = true;
    if (name === "hyperlink" && !isSelfClosing) {
      const isInside = value("anchor") !== undefined && value("id") === undefined;
      this.#links.push(isInside);
      if (isInside) return;
    }
    const written = Object.entries(attributes).map(([key, text]) => ` ${key}="${text.replaceAll('"', "&quot;")}"`);
    this.#out.push(`<${full}${written.join("")}${isSelfClosing ? "/" : ""}>`);
    if (isSelfClosing) return;
    if (name === "p" && full !== "a:p") this.#begin();
    if (name === "pPr" && paragraph !== undefined && this.#path.at(-2) === "p") {
      paragraph.hasProperties = true;
      paragraph.place = this.#out.length;
    }
  }

  close(full: string): void {
    const name = localName(full);
    if (this.#formula !== undefined) {
      if (name !== "oMath") {
        this.#formula.close(name);
        return;
      }
      const text = this.#formula.toString();
      this.#formula = undefined;
      this.#say(text);
      this.#out.push(`<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`);
      return;
    }
    if (name === "oMathPara") return;
    this.#path.pop();
    if (WRAPPERS.has(name)) return;
    if (name === "fldSimple") {
      this.#out.push(FIELD_END);
      return;
    }
    if (name === "sdt") this.#inserted.pop();
    if (name === "hyperlink" && this.#links.pop() === true) return;
    if (name === "p" && full !== "a:p") this.#end();
    this.#out.push(`</${full}>`);
  }

  text(text: string, decode: (text: string) => string): void {
    if (this.#formula !== undefined) {
      this.#formula.text(decode(text));
      return;
    }
    if (this.#path.at(-1) === "instrText") this.#fields.instruct(decode(text));
    this.#out.push(text);
    if (this.#path.at(-1) === "t") this.#say(decode(text));
  }

  finish(): Prepared {
    return { xml: this.#out.join(""), title: this.#title, heading: this.#heading, hasHeadings: this.#hasHeadings };
  }

  #say(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph === undefined || paragraph.text.length > PARAGRAPH_UNITS_MAX) return;
    paragraph.text += text;
    if (this.#links.at(-1) === true) paragraph.linked += text.length;
  }

  #begin(): void {
    const place = this.#out.length;
    this.#paragraphs.push({
      place,
      hasProperties: false,
      style: undefined,
      outlineLevel: undefined,
      text: "",
      linked: 0,
    });
  }

  #end(): void {
    const paragraph = this.#paragraphs.pop();
    if (paragraph === undefined) return;
    const role = this.#roleOf(paragraph);
    if (role === undefined) return;
    const text = paragraph.text.replace(/\s+/g, " ").trim();
    if (role === "title") this.#title ??= text === "" ? undefined : text;
    if (role === "heading1") this.#heading ??= text === "" ? undefined : text;
    if (role.startsWith("heading")) this.#hasHeadings = true;
    const { place, style, hasProperties } = paragraph;
    const tag = `<w:pStyle w:val="${styleOf(role)}"/>`;
    // A paragraph with a style has its tag at this position; else our tag is inserted there.
    if (style !== undefined) this.#out[place] = tag;
    else this.#out[place] = `${hasProperties ? tag : `<w:pPr>${tag}</w:pPr>`}${this.#out[place] ?? ""}`;
  }

  #roleOf({ style, outlineLevel, text, linked }: Paragraph): Role | undefined {
    if (this.#inserted.includes(true) || isOfContents(text, linked)) return "left out";
    const own = outlineLevel === undefined ? undefined : headingRole(outlineLevel);
    const named = style === undefined ? undefined : this.#styles.role(style);
    return named === "left out" || named === "title" ? named : (own ?? named);
  }
}

/** A line of a table of contents without a style: dots or a tab before a page number, or a link to a heading with one. */
function isOfContents(text: string, linked: number): boolean {
  const line = text.trim();
  if (!/\d$/.test(line) || line.length > PARAGRAPH_UNITS_MAX) return false;
  const rest = line.replace(/\d{1,4}$/, "");
  return /\.{5}[ \t]?$|…{2}[ \t]?$/.test(rest) || (rest.endsWith("\t") && linked >= rest.trim().length && linked > 0);
}

/** Writes a field whose instruction is an attribute in the form that mammoth reads. */
function simpleField(instruction: string): string {
  const link = instructionOf(linkOf(instruction) ?? "");
  return `${fieldMark("begin")}<w:r><w:instrText>${link}</w:instrText></w:r>${fieldMark("separate")}`;
}

function fieldMark(type: string): string {
  return `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
}

const FIELD_END = fieldMark("end");

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Writes a formula of an office file in one line, as in plain text: `(a+b)/(2c)`, `x^2`, `√(y)`. */
class FormulaText {
  #text = "";
  #isText = false;

  open(name: string, attribute: (name: string) => string | undefined): void {
    if (name === "t") this.#isText = true;
    else if (name === "chr") this.#text += attribute("val") ?? "";
    else this.#text += BEFORE[name] ?? "";
  }

  close(name: string): void {
    if (name === "t") this.#isText = false;
    else this.#text += AFTER[name] ?? "";
  }

  text(text: string): void {
    if (this.#isText) this.#text += text;
  }

  toString(): string {
    // Brackets around a single character are superfluous.
    return this.#text.replace(/([/^_])\((.)\)/gu, "$1$2").replace(/\((\w)\)(?=\/)/g, "$1");
  }
}

const BEFORE: Readonly<Record<string, string>> = {
  num: "(",
  den: "/(",
  sup: "^(",
  sub: "_(",
  rad: "√(",
  d: "(",
  oMath: "",
};
const AFTER: Readonly<Record<string, string>> = { num: ")", den: ")", sup: ")", sub: ")", rad: ")", d: ")", mr: "; " };
