/** With fewer pages the search method does not matter. */
export const MANY_PAGES = 1_000;

const COUNT = "/Count";
const SPACES_MAX = 4;

/**
 * Replaces the page count in the file by an invalid one. For each page, pdf.js searches the list of all pages, which takes minutes if ten thousand are in one
 * list. If the count is no whole number, it reads the list once and remembers every page. Undefined if the count is in a compressed object.
 */
export function withoutPageCount(bytes: Uint8Array, pageCount: number): Uint8Array | undefined {
  const file = Buffer.from(bytes);
  const digits = String(pageCount);
  const unlikely = `.${"9".repeat(digits.length - 1)}`;
  let isFound = false;
  for (let at = file.indexOf(COUNT); at >= 0; at = file.indexOf(COUNT, at + 1)) {
    let begins = at + COUNT.length;
    while (begins < at + COUNT.length + SPACES_MAX && isSpace(file[begins])) begins++;
    const ends = begins + digits.length;
    if (file.toString("latin1", begins, ends) !== digits || isDigit(file[ends])) continue;
    file.write(unlikely, begins, "latin1");
    isFound = true;
  }
  return isFound ? new Uint8Array(file.buffer, file.byteOffset, file.byteLength) : undefined;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
