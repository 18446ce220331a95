import { importSources } from "../import/import.ts";
import { grouped, Progress, terminalSafe } from "../terminal.ts";
import { type Command, flag, oneOf, text } from "./command.ts";

const FILE_TYPES = ["DOCUMENT", "WEBPAGE", "PDF", "TABLE"] as const;

export const importCommand: Command = {
  usage: "import BOT PATH...",
  summary: "import markdown and .jsonl, files or folders; bad lines are named and the rest goes in",
  positionals: [2, Number.POSITIVE_INFINITY],
  options: { type: { type: "string" }, sync: { type: "boolean" }, "no-wait": { type: "boolean" } },
  optionHelp: [
    [
      "--type TYPE",
      `type of markdown files: ${FILE_TYPES.join(", ")} (default DOCUMENT); a line of .jsonl says its own`,
    ],
    ["--sync", "remove what the same PATH brought before and no longer holds, if it could be read whole"],
    ["--no-wait", "end when all is durable, not when all is searchable"],
  ],
  async run({ positionals: [bot = "", ...paths], options, terminal, json, operator }) {
    const type = oneOf("--type", text(options, "type"), FILE_TYPES) ?? "DOCUMENT";
    const way = await operator();
    await way.showBot(bot);
    const progress = new Progress(terminal);
    const report = await importSources(way, bot, paths, {
      type,
      sync: flag(options, "sync"),
      onProgress: (done) => progress.update(`${grouped(done)} documents are in`),
      onProblem: ({ place, message }) => {
        progress.clear();
        terminal.err(`${terminalSafe(place)}: ${terminalSafe(message)}\n`);
      },
    });
    if (!flag(options, "no-wait")) {
      progress.update("making everything searchable");
      await way.whenSearchable(bot);
    }
    progress.clear();
    if (json) terminal.out(`${JSON.stringify(report)}\n`);
    else {
      const { added, replaced, unchanged, removed, passedOver, problems } = report;
      const parts = [
        `${grouped(added)} added`,
        `${grouped(replaced)} replaced`,
        `${grouped(unchanged)} unchanged`,
        ...(flag(options, "sync") ? [`${grouped(removed)} removed`] : []),
        ...(passedOver > 0 ? [`${grouped(passedOver)} files of other kinds passed over`] : []),
        ...(problems.length > 0 ? [`${grouped(problems.length)} refused`] : []),
      ];
      terminal.err(`${parts.join(", ")}\n`);
    }
    return report.problems.length > 0 ? 1 : 0;
  },
};
