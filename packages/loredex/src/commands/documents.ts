import { LoredexError } from "@loredex/core";
import { oneLine, table, terminalSafe } from "../terminal.ts";
import { type Command, oneOf, text, UsageError } from "./command.ts";

const TYPES = ["WEBPAGE", "PDF", "DOCUMENT", "TABLE", "QNA"] as const;
const STATUSES = ["active", "inactive", "pending"] as const;
const MANY = Number.POSITIVE_INFINITY;

export const list: Command = {
  usage: "list BOT",
  summary: "the imported documents",
  positionals: [1, 1],
  options: { type: { type: "string" }, status: { type: "string" } },
  optionHelp: [
    ["--type TYPE", `only ${TYPES.join(", ")}`],
    ["--status STATUS", `only ${STATUSES.join(", ")}`],
  ],
  async run({ positionals: [bot = ""], options, terminal, json, operator }) {
    const type = oneOf("--type", text(options, "type"), TYPES);
    const status = oneOf("--status", text(options, "status"), STATUSES);
    const filter = { ...(type === undefined ? {} : { type }), ...(status === undefined ? {} : { status }) };
    const documents = await (await operator()).listDocuments(bot, filter);
    if (json) terminal.out(`${JSON.stringify(documents)}\n`);
    else
      terminal.out(
        `${table(
          ["ID", "TYPE", "STATUS", "TITLE"],
          documents.map((d) => [d.id, d.type, d.status, d.title ?? ""]),
        )}\n`,
      );
    return 0;
  },
};

export const show: Command = {
  usage: "show BOT ID",
  summary: "one imported document with its content",
  positionals: [2, 2],
  options: {},
  optionHelp: [],
  async run({ positionals: [bot = "", id = ""], terminal, json, operator }) {
    const document = await (await operator()).getDocument(bot, id);
    if (json) {
      terminal.out(`${JSON.stringify(document)}\n`);
      return 0;
    }
    const { resourceDocId, type, status, url, metaData } = document;
    const head = [
      `${resourceDocId} (${type}, ${status})`,
      ...(url === undefined ? [] : [url]),
      JSON.stringify(metaData),
    ];
    const content =
      document.type === "QNA"
        ? [document.question, ...(document.alternatives ?? []), "", document.answer]
        : document.content.map(({ md }) => md);
    terminal.out(`${terminalSafe([...head, "", ...content].join("\n"))}\n`);
    return 0;
  },
};

export const status: Command = {
  usage: "status BOT ID... active|inactive|pending",
  summary: "set the status of imported documents",
  positionals: [3, MANY],
  options: {},
  optionHelp: [],
  async run({ positionals: [bot = "", ...rest], terminal, operator }) {
    const wanted = oneOf("the last argument", rest.at(-1), STATUSES);
    if (wanted === undefined) throw new UsageError("the status is missing");
    const way = await operator();
    return eachOf(rest.slice(0, -1), terminal.err, (id) => way.setDocumentStatus(bot, id, wanted));
  },
};

export const remove: Command = {
  usage: "remove BOT ID...",
  summary: "take imported documents out",
  positionals: [2, MANY],
  options: {},
  optionHelp: [],
  async run({ positionals: [bot = "", ...ids], terminal, operator }) {
    const way = await operator();
    return eachOf(ids, terminal.err, (id) => way.removeDocument(bot, id));
  },
};

export const exportCommand: Command = {
  usage: "export BOT",
  summary: "the imported documents as .jsonl on stdout, ready to be imported again",
  positionals: [1, 1],
  options: {},
  optionHelp: [],
  async run({ positionals: [bot = ""], terminal, operator }) {
    const way = await operator();
    for (const { id } of await way.listDocuments(bot, {})) {
      terminal.out(`${JSON.stringify(await way.getDocument(bot, id))}\n`);
    }
    return 0;
  },
};

/** Does it for each; one that is not there is named, and the rest is done. */
async function eachOf(
  ids: readonly string[],
  err: (text: string) => void,
  act: (id: string) => Promise<void>,
): Promise<number> {
  let code = 0;
  for (const id of ids) {
    try {
      await act(id);
    } catch (error) {
      if (!(error instanceof LoredexError) || error.code !== "DOCUMENT_NOT_FOUND") throw error;
      err(`${oneLine(error.message)}\n`);
      code = 1;
    }
  }
  return code;
}
