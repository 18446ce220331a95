import type { Vocabulary } from "@loredex/core";
import { readVocabularyFile, vocabularyText } from "@loredex/import";
import type { Operator } from "../operator/operator.ts";
import { writeOutputFile } from "../output-file.ts";
import { counted, jsonLine, listed, oneLine, type Terminal, table } from "../terminal/terminal.ts";
import { type Command, flag, UsageError } from "./command.ts";

export const vocabularyImport: Command = {
  usage: "vocabulary import BOT FILE",
  summary: "make a file the bot's vocabulary: synonyms, pinned answers and words to ignore",
  positionals: [2, 2],
  options: {},
  more: "The file replaces the whole vocabulary. It is YAML, or CSV if its name ends with .csv.\n",
  examples: ["vocabulary import acme words.yaml"],
  async run({ positionals: [bot = "", file = ""], terminal, json, operator }) {
    const vocabulary = await readVocabularyFile(file);
    if (rowsOf(vocabulary).length === 0)
      throw new UsageError(`${oneLine(file)} has no entry; "loredex vocabulary clear" takes a whole vocabulary out`);
    const way = await operator();
    await way.setVocabulary(bot, vocabulary);
    await tellUnknownPins(way, bot, vocabulary, terminal);
    if (json) terminal.out(jsonLine(vocabulary));
    else terminal.err(`The vocabulary has ${described(vocabulary)}.\n`);
    return 0;
  },
};

export const vocabularyShow: Command = {
  usage: "vocabulary show BOT",
  summary: "the bot's synonyms, pinned answers and words to ignore",
  positionals: [1, 1],
  options: {},
  examples: ["vocabulary show acme"],
  async run({ positionals: [bot = ""], terminal, json, operator }) {
    const vocabulary = await (await operator()).getVocabulary(bot);
    if (json) terminal.out(jsonLine(vocabulary));
    else if (rowsOf(vocabulary).length === 0) terminal.err("The bot has no vocabulary.\n");
    else terminal.out(table(["KIND", "TEXT", "DOCUMENT"], rowsOf(vocabulary)));
    return 0;
  },
};

export const vocabularyExport: Command = {
  usage: "vocabulary export BOT [FILE]",
  summary: "write the bot's vocabulary into a file that imports again, or print it as YAML",
  positionals: [1, 2],
  options: {},
  more: "The file is YAML, or CSV if its name ends with .csv.\n",
  examples: ["vocabulary export acme words.yaml"],
  async run({ positionals: [bot = "", file], terminal, json, operator }) {
    const vocabulary = await (await operator()).getVocabulary(bot);
    if (file !== undefined) await writeOutputFile(file, (write) => write(vocabularyText(vocabulary, file)));
    if (json) terminal.out(jsonLine(file === undefined ? vocabulary : { file, ...countsOf(vocabulary) }));
    else if (file === undefined) terminal.out(vocabularyText(vocabulary, ""));
    else terminal.err(`${described(vocabulary)} are in ${oneLine(file)}.\n`);
    return 0;
  },
};

export const vocabularyRemove: Command = {
  usage: "vocabulary remove BOT TEXT...",
  summary: "take entries out: lines of synonyms, questions of pinned answers, words to ignore",
  positionals: [2, 100],
  options: {},
  examples: ['vocabulary remove acme "PTO => annual leave" please'],
  async run({ positionals: [bot = "", ...texts], terminal, json, operator }) {
    const way = await operator();
    const before = await way.getVocabulary(bot);
    const gone = new Set(texts.flatMap((text) => [text, asKept(text)]));
    const isWanted = (text: string): boolean => !gone.has(text);
    const after = {
      synonyms: before.synonyms.filter(isWanted),
      pins: before.pins.filter(({ question }) => isWanted(question)),
      ignored: before.ignored.filter(isWanted),
    };
    const known = new Set(rowsOf(before).map(([, text]) => text));
    const unknown = texts.filter((text) => !known.has(text) && !known.has(asKept(text)));
    if (unknown.length > 0) {
      terminal.err(
        `The vocabulary has no entry ${oneLine(listed(unknown))}; "loredex vocabulary show" has all of them.\n`,
      );
      return 1;
    }
    await way.setVocabulary(bot, after);
    if (json) terminal.out(jsonLine(after));
    else terminal.err(`The vocabulary has ${described(after)}.\n`);
    return 0;
  },
};

export const vocabularyClear: Command = {
  usage: "vocabulary clear BOT --yes",
  summary: "take the whole vocabulary out",
  positionals: [1, 1],
  options: { yes: { kind: "switch", help: "needed, for only an exported file brings it back", setting: false } },
  examples: ["vocabulary clear acme --yes"],
  async run({ positionals: [bot = ""], options, terminal, json, operator }) {
    if (!flag(options, "yes")) throw new UsageError("this takes the whole vocabulary out: say --yes if you mean it");
    await (await operator()).setVocabulary(bot, {});
    if (json) terminal.out(jsonLine({ cleared: true }));
    else terminal.err("The vocabulary is empty.\n");
    return 0;
  },
};

/** Tells which pinned documents the bot does not have. */
async function tellUnknownPins(way: Operator, bot: string, { pins }: Vocabulary, terminal: Terminal): Promise<void> {
  const unknown: string[] = [];
  for (const id of [...new Set(pins.map(({ document }) => document))].slice(0, PINS_CHECKED_MAX)) {
    // A question without a word costs nothing.
    if ((await way.explain(bot, "?", id, {})).outcome === "unknown") unknown.push(id);
  }
  if (unknown.length > 0)
    terminal.err(`No document has the id ${oneLine(listed(unknown))}: a pin to it has no effect until there is one.\n`);
}

/** More pinned documents are not checked: each takes a request. */
const PINS_CHECKED_MAX = 100;

/** A line of synonyms with the spaces that the vocabulary keeps. */
function asKept(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/ ?=> ?/g, " => ")
    .replace(/ ?, ?/g, ", ");
}

function rowsOf({ synonyms, pins, ignored }: Vocabulary): string[][] {
  return [
    ...synonyms.map((line) => ["synonyms", line, ""]),
    ...pins.map(({ question, document }) => ["pin", question, document]),
    ...ignored.map((text) => ["ignored", text, ""]),
  ];
}

function countsOf({ synonyms, pins, ignored }: Vocabulary): Readonly<Record<keyof Vocabulary, number>> {
  return { synonyms: synonyms.length, pins: pins.length, ignored: ignored.length };
}

/** The number of entries of each kind, as words. */
export function described(vocabulary: Vocabulary): string {
  const { synonyms, pins, ignored } = countsOf(vocabulary);
  const ofSynonyms = counted(synonyms, "line of synonyms", "lines of synonyms");
  const ofPins = counted(pins, "pinned answer", "pinned answers");
  return `${ofSynonyms}, ${ofPins} and ${counted(ignored, "text to ignore", "texts to ignore")}`;
}
