import { checkBackup } from "@loredex/core";
import { bytesOfFile } from "@loredex/import/files";
import { writeOutputFile } from "../output-file.ts";
import { Progress } from "../terminal/progress.ts";
import { jsonLine, oneLine, sized } from "../terminal/terminal.ts";
import { type Command, flag, text, UsageError } from "./command.ts";
import { unfinished, vectorsMade } from "./unfinished.ts";

export const backupCommand: Command = {
  usage: "backup BOT FILE",
  summary: "write all of a bot into one file, consistent while it is written to",
  positionals: [2, 2],
  options: {
    "with-derived": {
      kind: "switch",
      help: "also what an encoder made and the graph: a restored bot answers as before at once",
      setting: true,
    },
    "with-questions": {
      kind: "switch",
      help: "also the questions of its users, masked as they are kept, golden questions and runs",
      // Who writes a backup decides each time whether it holds personal data.
      setting: false,
    },
  },
  examples: ["backup acme acme-2026-11-22.backup"],
  async run({ positionals: [name = "", file = ""], options, terminal, json, operator }) {
    const withDerived = flag(options, "with-derived");
    const backup = (await operator()).backup(name, {
      withDerived,
      ...(flag(options, "with-questions") ? { withQuestions: true } : {}),
    });
    let bytes = 0;
    const { bot, takenAt, derivedBytes } = await writeOutputFile(file, (write) =>
      // Verifies the written bytes as a restore would: a backup that cannot be restored is no backup.
      checkBackup(
        passing(backup, async (piece) => {
          await write(piece);
          bytes += piece.length;
        }),
      ),
    );
    if (json) terminal.out(jsonLine({ bot: bot.id, file, bytes, derivedBytes, takenAt }));
    else {
      const derived = withDerived ? `, of which ${sized(derivedBytes)} are derived data` : "";
      terminal.err(`Bot ${oneLine(bot.name)} (${bot.id}) is in ${oneLine(file)}, ${sized(bytes)}${derived}.\n`);
    }
    return 0;
  },
};

async function* passing(
  source: AsyncIterable<Uint8Array>,
  see: (piece: Uint8Array) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    await see(piece);
    yield piece;
  }
}

export const restoreCommand: Command = {
  usage: "restore FILE",
  summary: "bring a bot back from a backup, with its id and key, or under another name",
  positionals: [1, 1],
  options: {
    as: {
      kind: "text",
      value: "NAME",
      help: "as another bot with this name, a new id and a new key, which is shown once",
      setting: false,
    },
    "wait-vectors": {
      kind: "switch",
      help: "end when all that a backup leaves out is made again; with 1 where it can't",
      setting: true,
    },
  },
  examples: ["restore acme-2026-11-22.backup --as acme-before"],
  async run({ positionals: [file = ""], options, terminal, json, operator }) {
    const as = text(options, "as");
    if (as === "") throw new UsageError("--as takes a name");
    // All of it is read before anything is changed or created.
    await checkBackup(bytesOfFile(file));
    const used = await operator({ create: true });
    const { bot, key } = await used.restore(bytesOfFile(file), as);
    if (json) terminal.out(jsonLine({ bot: bot.id, ...(key === undefined ? {} : { key }) }));
    else if (key === undefined)
      terminal.err(
        `Bot ${oneLine(bot.name)} (${bot.id}) is back, ${bot.hasKey ? "with the key that it had" : 'without a key, as it was: "loredex key rotate" makes one'}.\n`,
      );
    else terminal.out(`Bot ${oneLine(bot.name)} (${bot.id}) is made. Its key, which is shown only now:\n\n  ${key}\n`);
    if (!flag(options, "wait-vectors")) return 0;
    const progress = new Progress(terminal);
    const { complete } = await vectorsMade(used, bot.id, progress);
    progress.clear();
    const left = unfinished(await used.showBot(bot.id));
    if (left !== undefined) terminal.err(`${oneLine(left)}\n`);
    return complete && left === undefined ? 0 : 1;
  },
};
