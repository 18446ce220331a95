/** A field of a document, as `HYPERLINK "https://..." \l "..."`. Its instruction may be in several pieces. */
interface Field {
  instruction: string;
  /** Positions of its pieces in the output. */
  readonly places: number[];
  isShown: boolean;
}

/** Rewrites the instructions of links: each keeps one address. A link within the document gets none, so that its shown text stays. */
export class Fields {
  readonly #out: string[];
  readonly #open: Field[] = [];

  /** `out` is the output. */
  constructor(out: string[]) {
    this.#out = out;
  }

  /** Marks the beginning of a field, of its shown text, or its end. */
  mark(type: string | undefined): void {
    if (type === "begin") this.#open.push({ instruction: "", places: [], isShown: false });
    const field = this.#open.at(-1);
    if (field === undefined) return;
    if (type === "separate" || type === "end") this.#show(field);
    if (type === "end") this.#open.pop();
  }

  /** Adds a piece to the instruction of the innermost field; the piece is written next. */
  instruct(text: string): void {
    const field = this.#open.at(-1);
    if (field === undefined || field.isShown) return;
    field.instruction += text;
    field.places.push(this.#out.length);
  }

  #show(field: Field): void {
    if (field.isShown) return;
    field.isShown = true;
    const [last, ...others] = field.places.toReversed();
    const target = linkOf(field.instruction);
    if (last === undefined || target === undefined) return;
    for (const place of others) this.#out[place] = "";
    this.#out[last] = instructionOf(target);
  }
}

/** Returns the instruction of a link to this address, in XML. With an empty address only the shown text is left. */
export function instructionOf(address: string): string {
  if (address === "") return " REF ";
  const written = address.replaceAll('"', "%22").replaceAll("&", "&amp;").replaceAll("<", "%3C");
  return ` HYPERLINK "${written}" `;
}

/** Also with the typographic quotation marks that some programs write by themselves. */
const ARGUMENT = /\\([a-z*#@!])|["“”]((?:[^"“”\\]|\\.)*)["“”]?|([^\s"“”\\]+)/giu;
/** Link switches with an argument: a place in the target, a hint, a window. */
const WITH_ARGUMENT = new Set(["l", "o", "t"]);

/** Returns the address of a link, with the place in it. Empty for a link within the document; undefined if the instruction is no link. */
export function linkOf(instruction: string): string | undefined {
  const [, said] = /^\s*HYPERLINK\b([\s\S]*)$/i.exec(instruction) ?? [];
  if (said === undefined) return undefined;
  let [address, place] = ["", ""];
  let open: string | undefined;
  for (const [, option, quoted, bare] of said.matchAll(ARGUMENT)) {
    if (option !== undefined) {
      open = WITH_ARGUMENT.has(option.toLowerCase()) ? option.toLowerCase() : undefined;
      continue;
    }
    const text = (quoted ?? bare ?? "").replace(/\\(.)/gu, "$1").trim();
    if (open === "l") place = text;
    else if (open === undefined && address === "") address = text;
    open = undefined;
  }
  return address === "" || place === "" ? address : `${address.split("#", 1).join("")}#${place}`;
}
