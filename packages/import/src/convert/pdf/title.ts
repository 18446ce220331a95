const NO_TITLE =
  /^(?:untitled|title|document\d*|no title|unknown|(?:microsoft |open ?office |libreoffice )?(?:word|powerpoint|excel|writer|impress)\b.*|presentation\d*|slide \d+|.*\.(?:docx?|odt|rtf|pptx?|xlsx?|tex|dvi|ps|pdf|indd|qxd|fm|txt|html?|md|rst|texi|eps|wpd|pmd|book)|\(.*\)|[^\p{L}]*)$/iu;

const PART_NAME =
  /^(?:name|synopsis|description|options|abstract|summary|preface|foreword|introduction|cover|(?:table of |brief )?contents|zusammenfassung|vorwort|einleitung|inhalt(?:sverzeichnis)?|r[eé]sum[eé]|sommaire|table des mati[eè]res|introducci[oó]n|[ií]ndice|(?:chapter|part|section|kapitel|chapitre|cap[ií]tulo)?\s*[\dIVXLC]*[.:]?)$/i;

/** True for a name of parts in many documents, which is no document's title. */
export function isPartName(text: string): boolean {
  return PART_NAME.test(text.slice(0, 60).trim());
}

/** Returns the title that an author gave; undefined for one that a program wrote. */
export function realTitle(given: string | undefined): string | undefined {
  const title = given?.replace(/\s+/g, " ").trim();
  if (title === undefined || title.length < 3 || NO_TITLE.test(title) || isPartName(title)) return undefined;
  return title;
}

/** Converts `D:20230306180657Z` to a day. */
export function pdfDate(given: string | undefined): string | undefined {
  const [, year, month = "01", day = "01"] = /^(?:D:)?(\d{4})(\d{2})?(\d{2})?/.exec(given?.trim() ?? "") ?? [];
  if (year === undefined) return undefined;
  const isDay = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  return isDay ? `${year}-${month}-${day}` : year;
}
