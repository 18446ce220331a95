/** The two sides of a line of synonyms. Texts of `from` find what texts of `to` find; of a line without `=>`, each finds what the others find. */
export interface SynonymSides {
  readonly from: readonly string[];
  /** Undefined: both ways. */
  readonly to: readonly string[] | undefined;
}

const ARROW = "=>";

/** Divides a line of synonyms, `a, b` or `a => b, c`. Undefined if it has two arrows. */
export function synonymSides(line: string): SynonymSides | undefined {
  const [from = "", to, another] = line.split(ARROW);
  if (another !== undefined) return undefined;
  return { from: textsOf(from), to: to === undefined ? undefined : textsOf(to) };
}

/** The line of these sides, as it is stored: with one space between words, and around the arrow. */
export function synonymLine({ from, to }: SynonymSides): string {
  return [from, to ?? []]
    .filter(({ length }) => length > 0)
    .map((texts) => texts.join(", "))
    .join(` ${ARROW} `);
}

/** A text with one space between its words. */
export function oneSpaced(text: string): string {
  return text.trim().replace(/\s+/gu, " ");
}

function textsOf(side: string): string[] {
  return side.split(",").map(oneSpaced);
}
