import { countFilesOf, type SyncedSource, sourceNamed, syncSources } from "@loredex/import";
import { importTarget } from "../operator/import-target.ts";
import { STOPPING, stoppable, tellingWhenStopped } from "../terminal/interruption.ts";
import { Pace } from "../terminal/pace.ts";
import { Progress } from "../terminal/progress.ts";
import { counted, jsonLine, oneLine } from "../terminal/terminal.ts";
import { type Command, flag } from "./command.ts";
import { hasBrought } from "./import-summary.ts";
import { searchable, tellMissing, tellOtherLanguage, tellUnfinished, waitTeller } from "./unfinished.ts";
import { EVERY, requireServer, told, watched } from "./watch.ts";

export const syncCommand: Command = {
  usage: "sync BOT [SOURCE]",
  summary: "bring all sources of a bot up to date, or one: what is new, changed or gone where they lie",
  positionals: [1, 2],
  options: {
    "no-wait": { kind: "switch", help: "end when all is durable, not when all is searchable", setting: true },
    watch: {
      kind: "switch",
      help: "watch until Ctrl-C: files when they change, addresses every --every; needs a running server",
      setting: false,
    },
    every: EVERY,
  },
  examples: ["sync acme", "sync acme handbook", "sync acme --watch --every 6h"],
  async run(invocation) {
    const { positionals, options, terminal, json, operator, place } = invocation;
    const [bot = "", source] = positionals;
    const isWatch = flag(options, "watch");
    if (isWatch) await requireServer(place);
    const way = await operator();
    if (isWatch) {
      const only = source === undefined ? {} : { sources: [sourceNamed(await way.listSources(bot), source).name] };
      return watched(invocation, bot, only);
    }
    const progress = new Progress(terminal);
    const [ofDocuments, ofFiles] = [new Pace(), new Pace()];
    const synced: SyncedSource[] = [];
    const all = await way.listSources(bot);
    const filesThere = await countFilesOf(source === undefined ? all : [sourceNamed(all, source)]);
    let isIn = 0;
    const tell = (): void => {
      progress.clear();
      terminal.err(
        `Stopped; ${counted(isIn, "document is", "documents are")} in and ${isIn === 1 ? "stays" : "stay"}. Run it again to bring the rest.\n`,
      );
    };
    const atFirst = (): void => {
      progress.clear();
      terminal.err(STOPPING);
    };
    await stoppable({ atFirst, atEnd: tell }, async (signal) => {
      const done = await syncSources(importTarget(way, bot), {
        botName: bot,
        signal,
        ...(source === undefined ? {} : { source }),
        onProgress: (done, files) => {
          isIn = done;
          const left = filesThere === undefined ? "" : ofFiles.left(files, filesThere);
          progress.update(`${counted(done, "document is", "documents are")} in${ofDocuments.rate(done)}${left}`);
        },
        onWait: waitTeller(progress, terminal),
        onProblem: ({ place, message }) => {
          progress.clear();
          terminal.err(`${oneLine(place)}: ${oneLine(message)}\n`);
        },
      });
      synced.push(...done);
    });
    const onWait = waitTeller(progress, terminal);
    const lacking = flag(options, "no-wait") ? "" : await tellingWhenStopped(tell, () => searchable(way, bot, onWait));
    progress.clear();
    if (json) terminal.out(jsonLine(synced));
    else for (const one of synced) terminal.err(told(one));
    if (synced.length === 0) terminal.err("There is no source that lies anywhere: nothing was imported from files.\n");
    if (lacking !== "") {
      terminal.err(`${oneLine(lacking)}\n`);
      return 1;
    }
    const details = await way.showBot(bot);
    if (flag(options, "no-wait")) tellMissing(details, terminal);
    else {
      const isAnyBrought = synced.some(({ report }) => report !== undefined && hasBrought(report));
      tellUnfinished(details, isAnyBrought, terminal);
    }
    tellOtherLanguage(details, terminal);
    return synced.some(({ report }) => report === undefined || report.failed + report.notSynced.length > 0) ? 1 : 0;
  },
};
