import type { Advice, BotFaultKind, FleetBot } from "@loredex/core";
import { grouped, jsonLine, oneLine, table } from "../terminal/terminal.ts";
import type { Command } from "./command.ts";

/** Stands for an unknown figure: a server opens no bot for this table. */
const UNKNOWN = "-";

const HEADINGS = ["NAME", "ID", "DOCUMENTS", "CHARACTERS", "HEALTH", "QUEUE", "LAST WRITE", "AS OF", "KEY"];

export const botList: Command = {
  usage: "bot list",
  summary: "all bots: documents, characters of the quota, health, what waits, last write",
  positionals: [0, 0],
  options: {},
  examples: ["bot list", "bot list --json"],
  async run({ terminal, json, operator }) {
    const bots = await (await operator()).fleet();
    if (json) terminal.out(jsonLine(bots));
    else if (bots.length === 0) terminal.err('There is no bot yet: make one with "loredex bot create NAME".\n');
    else terminal.out(table(HEADINGS, bots.map(row)) + notes(bots));
    return 0;
  },
};

function row({ name, id, figures, fault, advice, quotaCharacters, hasKey }: FleetBot): string[] {
  const health = fault === undefined ? soundAs(advice) : HEALTH[fault.kind];
  const known =
    figures === undefined
      ? [UNKNOWN, `${UNKNOWN} of ${grouped(quotaCharacters)}`, health, UNKNOWN, UNKNOWN, UNKNOWN]
      : [
          grouped(figures.articles + figures.documents),
          `${grouped(figures.characterUsed)} of ${grouped(quotaCharacters)}${share(figures.characterUsed, quotaCharacters)}`,
          health,
          queue(figures.indexQueue, figures.documentsWaiting),
          figures.lastWriteAt === undefined ? UNKNOWN : minuteOf(figures.lastWriteAt),
          figures.asOf === undefined ? "now" : minuteOf(figures.asOf),
        ];
  return [name, id, ...known, hasKey ? "yes" : "none"];
}

function minuteOf(instant: string): string {
  return instant.slice(0, 16).replace("T", " ");
}

/** The used share of the quota in percent. It may exceed 100 after the quota was lowered. */
function share(used: number, quota: number): string {
  return quota === 0 ? "" : ` (${Math.floor((used / quota) * 100)} %)`;
}

/** The number of documents that wait for indexing, and the number that wait for the embedder. */
function queue(toIndex: number, toEncode: number): string {
  if (toEncode === 0) return grouped(toIndex);
  return `${grouped(toIndex)} + ${grouped(toEncode)} for the embedder`;
}

const HEALTH: Readonly<Record<BotFaultKind, string>> = {
  damaged: "DAMAGED",
  inaccessible: "NOT OPENED",
  readOnly: "READ-ONLY",
  notWritable: "NOT WRITABLE",
};

export const FAULTS: Readonly<Record<BotFaultKind, string>> = {
  damaged: "is damaged and refused",
  inaccessible: "cannot be opened",
  readOnly: "takes no writes until a restart",
  notWritable: "cannot be written to",
};

/** The health of a bot without a fault: "ok", with a possible problem of its settings in a word or two. */
function soundAs([advice]: readonly Advice[] = []): string {
  if (advice === undefined) return "ok";
  return advice.kind === "wordsAlone" ? "ok, words alone" : `ok, holds ${oneLine(advice.writtenIn ?? "")}`;
}

/** The faults and the advice of bots: a line for each. */
function notes(bots: readonly FleetBot[]): string {
  const lines = bots.flatMap(({ name, fault, advice = [] }) => [
    ...(fault === undefined
      ? []
      : [`${FAULTS[fault.kind]}: ${oneLine(fault.message)}`].map((line) => `${oneLine(name)} ${line}`)),
    ...advice.map(({ story }) => `${oneLine(name)}: ${oneLine(story)}`),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}
