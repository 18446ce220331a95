import { DOCUMENT_STATUSES, IMPORTED_TYPES, LoredexError, type StoredDocument } from "@loredex/core";
import type { DocumentSummary } from "../operator/operator.ts";
import { jsonLine, oneLine, table, terminalSafe } from "../terminal/terminal.ts";
import { type Command, type Invocation, oneOf, text, UsageError } from "./command.ts";

const MANY = Number.POSITIVE_INFINITY;

const SORTS = ["id:asc", "id:desc", "title:asc", "title:desc"] as const;
type Sort = (typeof SORTS)[number];
const SORT_DEFAULT: Sort = "id:asc";

/** Sorts documents that are in the order of their ids. In titles upper and lower case are alike. */
function sorted(documents: readonly DocumentSummary[], sort: Sort): readonly DocumentSummary[] {
  if (sort.startsWith("id")) return sort === SORT_DEFAULT ? documents : documents.toReversed();
  const keyed = documents.map((document) => ({ document, key: (document.title ?? "").toLowerCase() }));
  const ascending = keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1));
  const all = ascending.map(({ document }) => document);
  return sort === "title:asc" ? all : all.toReversed();
}

export const list: Command = {
  usage: "list BOT",
  summary: "the imported documents",
  positionals: [1, 1],
  options: {
    type: {
      kind: "choice",
      value: "TYPE",
      choices: IMPORTED_TYPES,
      help: `only ${IMPORTED_TYPES.join(", ")}`,
      setting: false,
    },
    status: {
      kind: "choice",
      value: "STATUS",
      choices: DOCUMENT_STATUSES,
      help: `only ${DOCUMENT_STATUSES.join(", ")}`,
      setting: false,
    },
    sort: {
      kind: "choice",
      value: "ORDER",
      choices: SORTS,
      help: `the order, ${SORTS.join(", ")}`,
      default: SORT_DEFAULT,
      setting: false,
    },
  },
  examples: ["list acme --type QNA --status inactive --sort title:asc"],
  async run({ positionals: [bot = ""], options, terminal, json, operator }) {
    const type = oneOf("--type", text(options, "type"), IMPORTED_TYPES);
    const status = oneOf("--status", text(options, "status"), DOCUMENT_STATUSES);
    const filter = { ...(type === undefined ? {} : { type }), ...(status === undefined ? {} : { status }) };
    const sort = oneOf("--sort", text(options, "sort"), SORTS) ?? SORT_DEFAULT;
    const documents = sorted(await (await operator()).listDocuments(bot, filter), sort);
    const rows = documents.map((document) => [document.id, document.type, document.status, document.title ?? ""]);
    if (json) terminal.out(jsonLine(documents));
    else if (rows.length === 0) terminal.err("There is no such document.\n");
    else terminal.out(table(["ID", "TYPE", "STATUS", "TITLE"], rows));
    return 0;
  },
};

export const show: Command = {
  usage: "show BOT ID",
  summary: "one imported document with its content",
  positionals: [2, 2],
  options: {},
  examples: ["show acme file:handbook/refunds.md"],
  async run({ positionals: [bot = "", id = ""], terminal, json, operator }) {
    const document = await (await operator()).getDocument(bot, id);
    terminal.out(json ? jsonLine(document) : describe(document));
    return 0;
  },
};

function describe(document: StoredDocument): string {
  const { resourceDocId, type, status, url, metaData } = document;
  const head = [`${oneLine(resourceDocId)}  ${type}  ${status}`, ...(url === undefined ? [] : [oneLine(url)])];
  const more = Object.entries(metaData).map(([key, value]) => {
    return oneLine(`${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  });
  const content =
    document.type === "QNA"
      ? [document.question, ...(document.alternatives ?? []), "", document.answer]
      : document.content.map(({ md }) => md);
  return `${[...head, ...more, "", ...content.map(terminalSafe)].join("\n")}\n`;
}

export const status: Command = {
  usage: "status BOT ID... active|inactive|pending",
  summary: "set the status of imported documents",
  positionals: [3, MANY],
  options: {},
  examples: ["status acme file:handbook/refunds.md inactive"],
  async run(invocation) {
    const [bot = "", ...rest] = invocation.positionals;
    const wanted = oneOf("the last argument", rest.at(-1), DOCUMENT_STATUSES);
    if (wanted === undefined) throw new UsageError("the status is missing");
    const operator = await invocation.operator();
    const setStatus = (id: string): Promise<void> => operator.setDocumentStatus(bot, id, wanted);
    return forEach(rest.slice(0, -1), setStatus, "changed", invocation);
  },
};

export const remove: Command = {
  usage: "remove BOT ID...",
  summary: "take imported documents out",
  positionals: [2, MANY],
  options: {},
  examples: ["remove acme file:handbook/refunds.md"],
  async run(invocation) {
    const [bot = "", ...ids] = invocation.positionals;
    const operator = await invocation.operator();
    return forEach(ids, (id) => operator.removeDocument(bot, id), "removed", invocation);
  },
};

export const exportCommand: Command = {
  usage: "export BOT",
  summary: "the imported documents as .jsonl on stdout, ready to be imported again",
  positionals: [1, 1],
  options: {},
  examples: ["export acme > documents.jsonl"],
  async run({ positionals: [bot = ""], terminal, operator }) {
    const way = await operator();
    for (const { id } of await way.listDocuments(bot, {})) {
      const document = await unlessMissing(way.getDocument(bot, id));
      // Another program may have removed it since the list was made.
      if (document !== undefined) terminal.out(jsonLine(document));
    }
    return 0;
  },
};

/** Runs `act` for each id. A missing document is named, and the rest is done. */
async function forEach(
  ids: readonly string[],
  act: (id: string) => Promise<void>,
  done: "changed" | "removed",
  { terminal, json }: Invocation,
): Promise<number> {
  const missing: string[] = [];
  for (const id of ids) {
    const isThere = await unlessMissing(act(id).then(() => true));
    if (isThere) continue;
    missing.push(id);
    terminal.err(`There is no imported document with the id ${oneLine(id)}.\n`);
  }
  const acted = ids.filter((id) => !missing.includes(id));
  if (json) terminal.out(jsonLine({ [done]: acted, missing }));
  else terminal.err(`${acted.length} ${done}\n`);
  return missing.length === 0 ? 0 : 1;
}

function unlessMissing<Result>(promise: Promise<Result>): Promise<Result | undefined> {
  return promise.catch((error: unknown) => {
    if (error instanceof LoredexError && error.code === "DOCUMENT_NOT_FOUND") return undefined;
    throw error;
  });
}
