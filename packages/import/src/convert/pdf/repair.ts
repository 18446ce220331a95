/** `12 0 obj << ... /Type /Page` as plain bytes. Compressed objects cannot be found this way. */
const OBJECT = /(\d{1,10})[ \t\r\n]{1,4}(\d{1,5})[ \t\r\n]{1,4}obj\b/g;
const PAGE = /\/Type\s{0,4}\/Page(?![a-zA-Z])/;
const CATALOG = /\/Type\s{0,4}\/Catalog\b/;
/** A page's own dictionary is shorter. */
const DICTIONARY_BYTES_MAX = 4_096;
const PAGES_MAX = 100_000;

/** Adds the missing end of a file: the position of its start or, if that is lost, a list of the pages that still exist. Undefined if no page is found. */
export function withNewEnd(bytes: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const pages: string[] = [];
  let root: string | undefined;
  let last = 0;
  for (const found of text.matchAll(OBJECT)) {
    const [, number = "", generation = ""] = found;
    last = Math.max(last, Number(number));
    const begins = found.index + found[0].length;
    const own = text.slice(begins, begins + DICTIONARY_BYTES_MAX);
    const stop = own.search(/\bendobj\b|\bstream\b/);
    const dictionary = stop < 0 ? own : own.slice(0, stop);
    if (CATALOG.test(dictionary)) root = `${number} ${generation} R`;
    else if (PAGE.test(dictionary) && pages.length < PAGES_MAX) pages.push(`${number} ${generation} R`);
  }
  if (root === undefined && pages.length === 0) return undefined;
  const added =
    root === undefined
      ? `${last + 1} 0 obj\n<< /Type /Catalog /Pages ${last + 2} 0 R >>\nendobj\n` +
        `${last + 2} 0 obj\n<< /Type /Pages /Count ${pages.length} /Kids [${pages.join(" ")}] >>\nendobj\n`
      : "";
  const end = `\nendstream\nendobj\n${added}trailer\n<< /Size ${last + 3} /Root ${root ?? `${last + 1} 0 R`} >>\nstartxref\n0\n%%EOF\n`;
  return new Uint8Array(Buffer.concat([bytes, Buffer.from(end, "latin1")]));
}
