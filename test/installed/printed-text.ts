const ANYTHING = "…";
/** Commands tell how far they are when they have taken some seconds: on a busy machine that comes where no page shows it. */
const PROGRESS = /^[\d,]+ of [\d,]+ vectors made by the embedder/;
const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/**
 * The first line that a page shows of what a command prints and that it did not print, or undefined. All lines must come in their order and nothing
 * else; `…` stands for anything within a line, and for any number of lines where it stands alone. Columns may be as wide as they have to be. How far a command is may be told in between.
 */
export function lacksLine(shown: string, printed: string): string | undefined {
  const lines = linesOf(printed).filter((line) => !PROGRESS.test(line));
  let at = 0;
  let isFree = false;
  for (const line of linesOf(shown)) {
    if (line.trim() === ANYTHING) {
      isFree = true;
      continue;
    }
    const pattern = new RegExp(`^${line.split(ANYTHING).map(literally).join(".*")}$`);
    while (isFree && at < lines.length && !pattern.test(lines[at] ?? "")) at += 1;
    if (!pattern.test(lines[at] ?? "")) return line;
    at += 1;
    isFree = false;
  }
  return isFree || at === lines.length ? undefined : `nothing more, and not ${lines[at]}`;
}

function literally(text: string): string {
  return text.replace(SPECIAL, "\\$&").replace(/ +/g, " +");
}

/** Without empty lines at the end. */
function linesOf(text: string): string[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
}
