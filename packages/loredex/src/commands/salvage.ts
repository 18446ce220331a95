import { connectInspector } from "../operator/connect.ts";
import type { SalvagePart } from "../operator/operator.ts";
import { writeOutputFile } from "../output-file.ts";
import { apiArticle, articleDocument } from "../salvaged-article.ts";
import { counted, grouped, jsonLine, oneLine } from "../terminal/terminal.ts";
import { type Command, text, UsageError } from "./command.ts";
import { problemLine } from "./problem-line.ts";

interface Taken {
  readonly documents: number;
  readonly articles: number;
  readonly end: Extract<SalvagePart, { kind: "end" }>;
}

/** The most names in a message. More would hide the rest of it. `--json` has all of them. */
const NAMES_MAX = 5;

export const salvageCommand: Command = {
  usage: "salvage BOT --to FILE",
  summary: "take what is whole out of a damaged bot, as .jsonl that can be imported",
  positionals: [1, 1],
  options: {
    to: {
      kind: "path",
      value: "FILE",
      help: "where to; must not be there yet. Articles become documents",
      setting: false,
    },
    articles: {
      kind: "path",
      value: "FILE",
      help: "articles go here instead, one a line, as the API takes them to be created again",
      setting: false,
    },
  },
  examples: ["salvage acme --to whole.jsonl --articles articles.jsonl"],
  async run({ positionals: [bot = ""], options, terminal, json, place }) {
    const [to, articles] = [text(options, "to"), text(options, "articles")];
    if (to === undefined) throw new UsageError("say with --to FILE where to");
    if (articles === to) throw new UsageError("--articles takes the name of another file");
    const inspector = await connectInspector(place);
    try {
      const parts = inspector.salvage(bot);
      const {
        documents,
        articles: articleCount,
        end,
      } = await writeOutputFile(to, (write) =>
        articles === undefined
          ? takenOut(parts, write, (article) => write(jsonLine(articleDocument(article))))
          : writeOutputFile(articles, (writeArticle) =>
              takenOut(parts, write, (article) => writeArticle(jsonLine(apiArticle(article)))),
            ),
      );
      const { lost, problems, unchecked, isComplete } = end;
      if (json) terminal.out(jsonLine({ documents, articles: articleCount, isComplete, lost, unchecked, problems }));
      else {
        const taken = [counted(documents, "document", "documents"), counted(articleCount, "article", "articles")];
        const summary = `taken out: ${taken.join(" and ")}; ${completeness(end)}\n`;
        // If nothing is lost, that is said before the problems of files.
        if (isComplete) terminal.err(summary);
        for (const problem of problems) terminal.err(problemLine(problem));
        for (const { firstSequence, lastSequence } of lost) {
          const [first, last] = [grouped(firstSequence), grouped(lastSequence)];
          const records = first === last ? `the record ${first}` : `the records ${first} to ${last}`;
          terminal.err(`nothing whole tells of ${records} any more\n`);
        }
        if (unchecked.length > 0) terminal.err(`${toBeChecked(unchecked)}\n`);
        if (!isComplete) terminal.err(summary);
      }
      return isComplete ? 0 : 1;
    } finally {
      await inspector.close();
    }
  },
};

async function takenOut(
  parts: AsyncIterable<SalvagePart>,
  write: (line: string) => Promise<void>,
  writeArticle: (article: Extract<SalvagePart, { kind: "article" }>["article"]) => Promise<void>,
): Promise<Taken> {
  let [documents, articles] = [0, 0];
  let end: Taken["end"] | undefined;
  for await (const part of parts) {
    if (part.kind === "document") {
      await write(jsonLine(part.document));
      documents += 1;
    } else if (part.kind === "article") {
      await writeArticle(part.article);
      articles += 1;
    } else end = part;
  }
  if (end === undefined) throw new Error("the salvage broke off before its end; try again");
  return { documents, articles, end };
}

/** Whether the salvage is complete, as far as the records tell. */
function completeness({ isComplete, lost, unchecked }: Taken["end"]): string {
  if (isComplete) return "nothing is lost";
  if (lost.length > 0)
    return `what those records wrote may be missing${unchecked.length > 0 ? " or have changed" : ""}`;
  return unchecked.length > 0 ? "some may have changed" : "whether that is all cannot be told";
}

/** The documents that were read from a damaged place. */
function toBeChecked(ids: readonly string[]): string {
  const named = ids.slice(0, NAMES_MAX).map(oneLine).join(", ");
  const more = ids.length > NAMES_MAX ? ` and ${grouped(ids.length - NAMES_MAX)} more (--json names all)` : "";
  return `out of a damaged place, letters may have changed: look at ${named}${more}`;
}
