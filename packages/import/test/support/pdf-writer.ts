/** Writes small PDFs as a program would: text at places, in the fonts that every reader has. */

export interface PdfText {
  readonly text: string;
  /** In points from the page's left edge. */
  readonly x: number;
  /** In points from the page's upper edge, of the baseline. */
  readonly y: number;
  readonly size?: number;
  readonly font?: "plain" | "bold" | "mono";
  /** Degrees against the clock. */
  readonly turned?: number;
}

/** A ruled line, in points from the page's left and upper edge. */
export interface PdfRule {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

/** A field that leads to an address. */
export interface PdfLink extends PdfRule {
  readonly address: string;
}

export interface PdfOptions {
  readonly info?: Readonly<Record<string, string>>;
  readonly width?: number;
  readonly height?: number;
  /** The bold font, as the file is to describe it. */
  readonly boldFont?: string;
  /** Bookmarks, from above; their depth from 0. */
  readonly outline?: readonly { readonly title: string; readonly depth: number }[];
}

const FONTS = { plain: "F1", bold: "F2", mono: "F3" };

/** Letters of Helvetica and Courier in their own encoding: Latin-1 alone. */
export function pdfOf(pages: readonly (readonly (PdfText | PdfRule)[])[], options: PdfOptions = {}): Uint8Array {
  const { width = 600, height = 800 } = options;
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  const standard = ["Helvetica", "Helvetica-Bold", "Courier"].map(
    (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
  );
  const fonts = standard.map((font, i) => add(i === 1 ? (options.boldFont ?? font) : font));
  const resources = `<< /Font << ${fonts.map((id, i) => `/F${i + 1} ${id} 0 R`).join(" ")} >> >>`;
  const links = pages.flat().filter(isLink).length;
  const treeId = fonts.length + 2 * pages.length + links + 1;
  const kids = pages.map((drawn) => {
    const links = drawn.filter(isLink).map((one) => add(linking(one, height)));
    const content = drawn
      .filter((one) => !isLink(one))
      .map((one) => ("text" in one ? shown(one, height) : ruled(one, height)))
      .join("\n");
    const stream = add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    return add(
      `<< /Type /Page /Parent ${treeId} 0 R /MediaBox [0 0 ${width} ${height}] /Resources ${resources} /Contents ${stream} 0 R /Annots [${links.map((id) => `${id} 0 R`).join(" ")}] >>`,
    );
  });
  add(`<< /Type /Pages /Kids [${kids.map((id) => `${id} 0 R`).join(" ")}] /Count ${kids.length} >>`);
  const outline =
    options.outline === undefined ? "" : ` /Outlines ${addOutline(add, objects.length, options.outline)} 0 R`;
  const root = add(`<< /Type /Catalog /Pages ${treeId} 0 R${outline} >>`);
  const info = add(
    `<< ${Object.entries(options.info ?? {})
      .map(([key, value]) => `/${key} ${literal(value)}`)
      .join(" ")} >>`,
  );
  return written(objects, { root, info });
}

function written(
  objects: readonly string[],
  { root, info }: { readonly root: number; readonly info: number },
): Uint8Array {
  let file = "%PDF-1.4\n";
  const offsets = objects.map((body, i) => {
    const offset = file.length;
    file += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root ${root} 0 R /Info ${info} 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(file, "latin1"));
}

function shown({ text, x, y, size = 10, font = "plain", turned = 0 }: PdfText, height: number): string {
  const angle = (turned * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle).toFixed(4), Math.sin(angle).toFixed(4)];
  return `BT /${FONTS[font]} ${size} Tf ${cos} ${sin} ${-sin} ${cos} ${x} ${height - y} Tm ${literal(text)} Tj ET`;
}

/** Returns the number of its first object; those of the bookmarks follow it. */
function addOutline(
  add: (body: string) => number,
  before: number,
  bookmarks: NonNullable<PdfOptions["outline"]>,
): number {
  const ref = (at: number): string => `${before + 2 + at} 0 R`;
  const kidsOf = (from: number, depth: number): number[] => {
    const stop = bookmarks.findIndex((each, i) => i >= from && each.depth < depth);
    const ends = stop < 0 ? bookmarks.length : stop;
    return bookmarks.flatMap((each, i) => (i >= from && i < ends && each.depth === depth ? [i] : []));
  };
  const family = (kids: readonly number[]): string =>
    kids.length === 0 ? "" : `/First ${ref(kids[0] ?? 0)} /Last ${ref(kids.at(-1) ?? 0)} /Count ${kids.length}`;
  const root = add(`<< /Type /Outlines ${family(kidsOf(0, 0))} >>`);
  for (const [at, { title, depth }] of bookmarks.entries()) {
    const next = kidsOf(at, depth)[1];
    const parent = bookmarks.findLastIndex((each, i) => i < at && each.depth < depth);
    add(
      `<< /Title ${literal(title)} /Parent ${parent < 0 ? `${root} 0 R` : ref(parent)} ${next === undefined ? "" : `/Next ${ref(next)}`} ${family(kidsOf(at + 1, depth + 1))} >>`,
    );
  }
  return root;
}

function isLink(one: PdfText | PdfRule): one is PdfLink {
  return "address" in one;
}

function linking({ from, to, address }: PdfLink, height: number): string {
  const box = [from[0], height - to[1], to[0], height - from[1]].join(" ");
  return `<< /Type /Annot /Subtype /Link /Rect [${box}] /A << /S /URI /URI ${literal(address)} >> >>`;
}

function ruled({ from, to }: PdfRule, height: number): string {
  return `${from[0]} ${height - from[1]} m ${to[0]} ${height - to[1]} l S`;
}

/** The ruled lines of a table, from the edges of its columns and rows. */
export function gridRules(xs: readonly number[], ys: readonly number[]): PdfRule[] {
  const [left = 0] = xs;
  const [top = 0] = ys;
  const [right = 0, bottom = 0] = [xs.at(-1), ys.at(-1)];
  return [
    ...xs.map((x): PdfRule => ({ from: [x, top], to: [x, bottom] })),
    ...ys.map((y): PdfRule => ({ from: [left, y], to: [right, y] })),
  ];
}

function literal(text: string): string {
  return `(${text.replace(/[\\()]/g, "\\$&")})`;
}

/** A column of lines, one below the other. */
export function lines(
  texts: readonly string[],
  { x = 72, y = 100, leading = 12, ...rest }: Partial<PdfText> & { readonly leading?: number } = {},
): PdfText[] {
  return texts.map((text, i) => ({ ...rest, text, x, y: y + i * leading }));
}
