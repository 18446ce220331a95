/** A term that is explained beside it is short. */
const TERM_CHARACTERS_MAX = 40;
/** Explanations are sentences, and not values. */
const MEANING_CHARACTERS_MIN = 25;
const BULLET = /^[•‣◦▪●■◆∙⁃➢➤►▸❖✓✔]\s*/u;

/** The rows of what only looks like a table as items of a list: terms with what they mean, or lists side by side. */
export function listedRows(rows: readonly (readonly string[])[]): string[] | undefined {
  return listsOf(rows) ?? termsOf(rows);
}

/** Lists that stand beside each other are read one after the other. */
function listsOf(rows: readonly (readonly string[])[]): string[] | undefined {
  const columns = (rows[0] ?? []).map((_, at) => rows.map((row) => row[at] ?? "").filter((cell) => cell !== ""));
  const isList = columns.every((cells) => cells.filter((cell) => BULLET.test(cell)).length >= 0.6 * cells.length);
  return isList ? columns.flat().map((cell) => cell.replace(BULLET, "")) : undefined;
}

function termsOf(rows: readonly (readonly string[])[]): string[] | undefined {
  if (rows.some((row) => row.length !== 2)) return undefined;
  const terms = rows.map(([term = ""]) => term).filter((term) => term !== "");
  const meanings = rows.map(([, meaning = ""]) => meaning).filter((meaning) => meaning !== "");
  const long = meanings.filter((meaning) => isSentence(meaning) || meaning.length >= MEANING_CHARACTERS_MIN);
  if (long.length < 0.5 * meanings.length || terms.some((term) => term.length > TERM_CHARACTERS_MAX)) return undefined;
  const items: string[] = [];
  for (const [term = "", meaning = ""] of rows) {
    if (term === "" && items.length > 0) items.push(`${items.pop() ?? ""} ${meaning}`);
    else if (term === "" || meaning === "") items.push(term + meaning);
    else items.push(/[:–—-]$/.test(term) ? `${term} ${meaning}` : `${term}: ${meaning}`);
  }
  return items;
}

/** Two words or more on the last line, and a mark that ends them. As one pattern it would take the square of a cell's length. */
function isSentence(text: string): boolean {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  return /\p{L} /u.test(line) && /\p{L}[.!?]$/u.test(line);
}
