/** A field of a document, as `HYPERLINK "https://..." \l "..."`, whose instruction may lie in several pieces. */
interface Field {
  instruction: string;
  /** Places of its pieces in what is written. */
  readonly places: number[];
  isShown: boolean;
}

/** Writes the instructions of links so that one address is left of each, and that of a link within the document so that what it shows is text. */
export class Fields {
  readonly #out: string[];
  readonly #open: Field[] = [];

  /** `out` is what is written. */
  constructor(out: string[]) {
    this.#out = out;
  }

  /** Where a field begins, where what it shows begins, and where it ends. */
  mark(type: string | undefined): void {
    if (type === "begin") this.#open.push({ instruction: "", places: [], isShown: false });
    const field = this.#open.at(-1);
    if (field === undefined) return;
    if (type === "separate" || type === "end") this.#show(field);
    if (type === "end") this.#open.pop();
  }

  /** A piece of the instruction of the innermost field, which is written next. */
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

/** The instruction of a link to this address, in XML; one to no address, of which what it shows is left. */
export function instructionOf(address: string): string {
  if (address === "") return " REF ";
  const written = address.replaceAll('"', "%22").replaceAll("&", "&amp;").replaceAll("<", "%3C");
  return ` HYPERLINK "${written}" `;
}

/** Quotation marks of the programs that write them for the author as well. */
const ARGUMENT = /\\([a-z*#@!])|["“”]((?:[^"“”\\]|\\.)*)["“”]?|([^\s"“”\\]+)/giu;
/** Switches of a link that have an argument: a place in what it leads to, a hint, a window. */
const WITH_ARGUMENT = new Set(["l", "o", "t"]);

/** The address that a link leads to, with the place in it; empty where it is one within the document, and undefined where the instruction is no link. */
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
