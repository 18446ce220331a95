/** The addresses of a document's links. Each has a sign that marks both ends of the linked text while the text is built. */
export class Links {
  readonly #signs = new Map<string, string>();
  readonly #addresses = new Map<string, string>();

  /** Returns the sign of an address; undefined if it leads to no other document, or the document has too many links. */
  signOf(address: string): string | undefined {
    if (address.length > ADDRESS_CHARACTERS_MAX || !/^(?:https?:\/\/|mailto:)/i.test(address)) return undefined;
    const known = this.#signs.get(address);
    if (known !== undefined || this.#signs.size >= SIGNS_MAX) return known;
    const sign = String.fromCodePoint(FIRST_SIGN + this.#signs.size);
    this.#signs.set(address, sign);
    this.#addresses.set(sign, address);
    return sign;
  }

  /** Replaces signs by markdown links. Text that is itself an address needs no link. */
  written(markdown: string): string {
    if (this.#signs.size === 0 || !SIGN.test(markdown)) return markdown;
    return markdown
      .replace(/(\p{Co})(?: ?\1)/gu, (both) => (both.includes(" ") ? " " : ""))
      .replace(/(\p{Co})([^\p{Co}]*)(\p{Co})/gu, (all, first: string, text: string, last: string) => {
        const address = first === last ? this.#addresses.get(first) : undefined;
        return address === undefined || isAddress(text)
          ? withoutSigns(all)
          : `[${text.replace(/[[\]]/g, "\\$&")}](${destination(address)})`;
      });
  }
}

const ADDRESS_CHARACTERS_MAX = 2_000;
/** Private use of Unicode's plane 15: no letter of a file is converted to it. */
const FIRST_SIGN = 0xf0000;
const SIGNS_MAX = 65_000;
const SIGN = /\p{Co}/u;
const SIGNS = /\p{Co}/gu;

/** Removes the signs. */
export function withoutSigns(text: string): string {
  return SIGN.test(text) ? text.replace(SIGNS, "") : text;
}

/** True also for `name@example.com` and `example.com/page`. */
function isAddress(text: string): boolean {
  const own = text.trim();
  if (own.includes("://") || /^(?:mailto:|www\.)/i.test(own) || !/[\p{L}\p{N}]/u.test(own)) return true;
  return !/\s/.test(own) && (own.includes("@") || (own.includes(".") && own.includes("/")));
}

/** Encodes characters at which markdown would end an address. */
function destination(address: string): string {
  return address.replace(/[\s<>()]/g, (character) =>
    encodeURIComponent(character).replace(/[()]/g, (mark) => (mark === "(" ? "%28" : "%29")),
  );
}
