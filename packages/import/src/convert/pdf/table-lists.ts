/** Maximum length of a term with an explanation beside it. */
const TERM_CHARACTERS_MAX = 40;
/** Explanations are sentences, and not values. */
const MEANING_CHARACTERS_MIN = 25;
const BULLET = /^[•‣◦▪●■◆∙⁃➢➤►▸❖✓✔]\s*/u;

/** Turns the rows of a table-like list into items: terms with their meanings, or lists side by side. */
export function listedRows(rows: readonly (readonly string[])[]): string[] | undefined {
  return listsOf(rows) ?? termsOf(rows);
}

/** Reads lists that stand side by side one after the other. */
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

/** True if the last line has at least two words and an end mark. A single pattern would take quadratic time in the cell's length. */
function isSentence(text: string): boolean {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  return /\p{L} /u.test(line) && /\p{L}[.!?]$/u.test(line);
}
