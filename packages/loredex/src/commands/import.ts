import { countFiles, FILE_TYPES, type ImportReport, importSources, sourceNameProblem } from "@loredex/import";
import { importTarget } from "../operator/import-target.ts";
import { STOPPING, stoppable, tellingWhenStopped } from "../terminal/interruption.ts";
import { Pace } from "../terminal/pace.ts";
import { Progress } from "../terminal/progress.ts";
import { counted, jsonLine, oneLine } from "../terminal/terminal.ts";
import { ADDRESS_OPTIONS, addressOptions } from "./address-options.ts";
import { type Command, flag, type Invocation, oneOf, text, UsageError } from "./command.ts";
import { FILE_OPTIONS, fileOptions } from "./import-files.ts";
import { hasBrought, inAndOut, summary, toldOnce } from "./import-summary.ts";
import { searchable, tellMissing, tellOtherLanguage, tellUnfinished, vectorsMade, waitTeller } from "./unfinished.ts";
import { EVERY, requireServer, watched } from "./watch.ts";

export const importCommand: Command = {
  usage: "import BOT PATH-or-URL...",
  summary: "import files, folders and addresses; what cannot be read is named and the rest goes in",
  positionals: [2, Number.POSITIVE_INFINITY],
  options: {
    type: {
      kind: "choice",
      value: "TYPE",
      choices: FILE_TYPES,
      help: `type of markdown files: ${FILE_TYPES.join(", ")}; .jsonl says its own`,
      default: "DOCUMENT",
      setting: false,
    },
    source: {
      kind: "text",
      value: "NAME",
      help: "the name of what brings it, the same wherever PATH lies; PATH - (standard input) needs one",
      default: "the real path",
      setting: false,
    },
    sync: {
      kind: "switch",
      help: "remove what the same PATH brought before and no longer holds, if it could be read whole",
      setting: false,
    },
    watch: {
      kind: "switch",
      help: "then keep the bot in step with PATH until Ctrl-C; needs a running server",
      setting: false,
    },
    every: EVERY,
    ...ADDRESS_OPTIONS,
    ...FILE_OPTIONS,
    "no-wait": {
      kind: "switch",
      help: "end when all is durable, not when all is searchable",
      setting: true,
      excludes: "wait-vectors",
    },
    "wait-vectors": {
      kind: "switch",
      help: "end when the embedder has read everything; with 1 where it can't",
      setting: true,
      excludes: "no-wait",
    },
  },
  examples: [
    "import acme ./handbook faq.jsonl",
    "import acme 'docs/**/*.md' --drafts",
    "import acme ./handbook --source handbook --sync",
    "import acme https://help.example.com/ --follow 2 --source site",
  ],
  async run(invocation) {
    const { positionals, options, terminal, json, place } = invocation;
    const [bot = ""] = positionals;
    if (flag(options, "watch")) await requireServer(place);
    const progress = new Progress(terminal);
    const report = await brought(invocation, progress);
    const operator = await invocation.operator();
    const tell = (): void => {
      progress.clear();
      terminal.err(`Stopped; ${inAndOut(report)}. What it is found by is made when the bot is next used.\n`);
    };
    let lacking = "";
    const upgrade = await tellingWhenStopped(tell, async () => {
      if (!flag(options, "no-wait")) {
        progress.update("making everything searchable");
        lacking = await searchable(operator, bot, waitTeller(progress, terminal));
      }
      if (lacking !== "") return undefined;
      return flag(options, "wait-vectors") ? await vectorsMade(operator, bot, progress) : undefined;
    });
    progress.clear();
    for (const note of report.notes) terminal.err(`${oneLine(note)}\n`);
    if (json) terminal.out(jsonLine(report));
    else {
      terminal.err(`${summary(report, flag(options, "sync"))}\n`);
    }
    if (lacking !== "") {
      terminal.err(`${oneLine(lacking)}\n`);
      return 1;
    }
    const details = await operator.showBot(bot);
    // Without waiting, unfinished work is expected. A missing embedder is not, so only that is reported.
    if (flag(options, "no-wait")) tellMissing(details, terminal);
    else tellUnfinished(details, hasBrought(report) || upgrade !== undefined, terminal);
    tellOtherLanguage(details, terminal);
    if (flag(options, "watch")) {
      const { sources } = report;
      // A source with more arguments was not imported as a whole.
      const whole = (await operator.listSources(bot)).filter(
        (one) => one.arguments.length < invocation.positionals.length,
      );
      return watched(invocation, bot, { sources, justBrought: whole.map(({ name }) => name) });
    }
    return report.failed > 0 || upgrade?.complete === false ? 1 : 0;
  },
};

async function brought(invocation: Invocation, progress: Progress): Promise<ImportReport> {
  const { positionals, options, terminal } = invocation;
  const [bot = "", ...paths] = positionals;
  const type = oneOf("--type", text(options, "type"), FILE_TYPES);
  const source = text(options, "source");
  const badName = source === undefined ? undefined : sourceNameProblem(source);
  if (badName !== undefined) throw new UsageError(badName);
  if (source === undefined && paths.includes("-")) {
    throw new UsageError("what comes by the standard input has no path: say with --source NAME whose it is");
  }
  const operator = await invocation.operator();
  // A missing bot is reported before any file is read.
  await operator.listRegistrations(bot, "agent");
  const filesThere = await countFiles(paths);
  const [ofDocuments, ofFiles] = [new Pace(), new Pace()];
  let isIn = 0;
  const tell = (): void => {
    progress.clear();
    terminal.err(`${stoppedAt(isIn)} Run it again to bring the rest.\n`);
  };
  const atFirst = (): void => {
    progress.clear();
    terminal.err(STOPPING);
  };
  const said = new Set<string>();
  const work = (signal: AbortSignal): Promise<ImportReport> =>
    importSources(importTarget(operator, bot), paths, {
      botName: bot,
      signal,
      ...(type === undefined ? {} : { type }),
      ...(source === undefined ? {} : { source }),
      ...addressOptions(options),
      sync: flag(options, "sync"),
      ...fileOptions(options),
      ...(paths.includes("-") ? { stdin: process.stdin } : {}),
      onProgress: (done, files) => {
        isIn = done;
        const left = filesThere === undefined ? "" : ofFiles.left(files, filesThere);
        progress.update(`${counted(done, "document is", "documents are")} in${ofDocuments.rate(done)}${left}`);
      },
      onWait: waitTeller(progress, terminal),
      onProblem: ({ place, message }) => {
        progress.clear();
        terminal.err(`${oneLine(place)}: ${oneLine(toldOnce(message, said))}\n`);
      },
    });
  try {
    return await stoppable({ atFirst, atEnd: tell }, work);
  } catch (error) {
    // If nothing was imported, the error says everything.
    if (isIn > 0) tell();
    else progress.clear();
    throw error;
  }
}

function stoppedAt(isIn: number): string {
  if (isIn === 0) return "The import was stopped before a document was in.";
  return `The import stopped when ${counted(isIn, "document was in; it stays", "documents were in; they stay")}.`;
}
