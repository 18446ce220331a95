import type { BotInfo, BotSettings, LanguageChange, VectorStats } from "@loredex/core";
import {
  ENGLISH_EMBEDDERS,
  foundBy,
  LANGUAGE_DEFAULT,
  LANGUAGES,
  languageOf,
  NO_EMBEDDER,
  QUALITIES,
  QUALITY_DEFAULT,
  QUOTA_BYTES_MIN,
  QUOTA_CHARACTERS_DEFAULT,
  RATE_CHARACTERS_PER_MINUTE_DEFAULT,
} from "@loredex/core";
import type { Options } from "../configuration/option.ts";
import { EMBEDDER_NAMES } from "../embedders.ts";
import type { BotDetails, Operator } from "../operator/operator.ts";
import { Progress } from "../terminal/progress.ts";
import {
  bold,
  counted,
  grouped,
  jsonLine,
  listed,
  oneLine,
  sized,
  type Terminal,
  table,
} from "../terminal/terminal.ts";
import { type Command, count, flag, type OptionValues, qualityOf, text, UsageError } from "./command.ts";
import { FAULTS } from "./fleet.ts";
import { questionLogLine, questionLogOptions, questionLogSettings } from "./question-log.ts";
import { tellMissing, withProgress } from "./unfinished.ts";

/** The options for a bot's settings. With `forNew`, some may also be set in the environment and the file. A change must be given each time. */
const settings = (forNew: boolean) =>
  ({
    quota: {
      kind: "count",
      value: "N",
      help: "most characters of all articles together",
      setting: forNew,
      ...defaultOf(forNew, grouped(QUOTA_CHARACTERS_DEFAULT)),
    },
    rate: {
      kind: "count",
      value: "N",
      help: "most characters added in a minute",
      setting: forNew,
      ...defaultOf(forNew, grouped(RATE_CHARACTERS_PER_MINUTE_DEFAULT)),
    },
    bytes: {
      kind: "bytes",
      value: "SIZE",
      words: [AUTO],
      min: QUOTA_BYTES_MIN,
      help: "most bytes of all articles together",
      setting: forNew,
      ...defaultOf(forNew, `${AUTO}: 16 times the quota, and 32 MiB`),
    },
    "bytes-per-minute": {
      kind: "bytes",
      value: "SIZE",
      words: [AUTO],
      min: QUOTA_BYTES_MIN,
      help: "most bytes of articles written in a minute",
      setting: forNew,
      ...defaultOf(forNew, `${AUTO}: 64 times the rate, and 16 MiB`),
    },
    "import-bytes": {
      kind: "bytes",
      value: "SIZE",
      words: [NONE],
      min: QUOTA_BYTES_MIN,
      help: "most bytes of all imported documents together",
      setting: forNew,
      ...defaultOf(forNew, NONE),
    },
    language: {
      kind: "choice",
      value: "L",
      choices: LANGUAGES,
      choiceOf: languageOf,
      help: "the tag of its passages' language, as de or pt-BR; auto: each document tells;\nmulti: a mixture, by plain words",
      setting: forNew,
      ...defaultOf(forNew, LANGUAGE_DEFAULT),
    },
    embedder: {
      // Only the holder of the data knows which embedders there are.
      kind: "text",
      value: "E",
      help: `what understands its passages: ${EMBEDDER_NAMES.join(" or ")}`,
      setting: forNew,
      ...defaultOf(forNew, "minilm for en, multilingual for all others"),
    },
    quality: {
      kind: "choice",
      value: "Q",
      choices: QUALITIES,
      help: `who reads its questions: ${QUALITIES.join(" or ")}`,
      setting: forNew,
      ...defaultOf(forNew, QUALITY_DEFAULT),
    },
    ...questionLogOptions(forNew),
  }) as const satisfies Options;

/** The word for a limit that follows the limit in characters. */
const AUTO = "auto";
/** The word for no limit. */
const NONE = "none";

/** A number of bytes, or the word that may replace it. */
function bytesOf<Word extends string>(options: OptionValues, name: string, word: Word): number | Word | undefined {
  return text(options, name) === word ? word : count(options, name);
}

function defaultOf(isNew: boolean, value: string): { readonly default?: string } {
  return isNew ? { default: value } : {};
}

function settingsOf(options: OptionValues): Partial<BotSettings> {
  const [quota, rate] = [count(options, "quota"), count(options, "rate")];
  const [quotaBytes, rateBytes] = [bytesOf(options, "bytes", AUTO), bytesOf(options, "bytes-per-minute", AUTO)];
  const importBytes = bytesOf(options, "import-bytes", NONE);
  const language = text(options, "language");
  const embedder = text(options, "embedder");
  const quality = qualityOf(options);
  return {
    ...(quota === undefined ? {} : { quotaCharacters: quota }),
    ...(rate === undefined ? {} : { rateCharactersPerMinute: rate }),
    ...(quotaBytes === undefined ? {} : { quotaBytes }),
    ...(rateBytes === undefined ? {} : { rateBytesPerMinute: rateBytes }),
    ...(importBytes === undefined ? {} : { importBytes }),
    ...(language === undefined ? {} : { language }),
    ...(embedder === undefined ? {} : { embedder }),
    ...(quality === undefined ? {} : { quality }),
    ...questionLogSettings(options),
  };
}

export const botCreate: Command = {
  usage: "bot create NAME",
  summary: "make a bot and its key; the key is shown once",
  positionals: [1, 1],
  options: {
    ...settings(true),
    "if-missing": {
      kind: "switch",
      help: "a bot that is there already is no failure; it keeps its settings and its key",
      setting: true,
    },
  },
  examples: ["bot create acme --quota 2_000_000 --if-missing"],
  async run({ positionals: [name = ""], options, terminal, json, operator }) {
    // Checked before a directory is made.
    const settings = { name, ...settingsOf(options) };
    const data = await operator({ create: true });
    const ifMissing = flag(options, "if-missing");
    const { bot, key } = ifMissing ? await data.ensureBot(settings) : await data.createBot(settings);
    const created = key !== undefined;
    if (json) terminal.out(jsonLine({ bot: bot.id, key, ...(ifMissing ? { created } : {}) }));
    else if (!created)
      terminal.err(`Bot ${oneLine(bot.name)} (${bot.id}) is there already, with its settings and its key.\n`);
    else {
      terminal.out(`Bot ${oneLine(bot.name)} (${bot.id}) is made. Its key, which is shown only now:\n\n  ${key}\n`);
      terminal.err(limitsLine(bot));
    }
    tellMissing(await data.showBot(bot.id), terminal);
    return 0;
  },
};

/** The limits that an integrator meets first. */
function limitsLine({ id, quotaCharacters, rateCharactersPerMinute }: BotInfo): string {
  return `Its articles may have ${grouped(quotaCharacters)} characters in all, and ${grouped(rateCharactersPerMinute)} may be added in a minute. To change them: loredex bot set ${id} --quota N --rate N\n`;
}

function settingsTable(bots: readonly BotInfo[]): string {
  const rows = bots.map((bot) => {
    const limits = [grouped(bot.quotaCharacters), grouped(bot.rateCharactersPerMinute)];
    return [bot.name, bot.id, ...limits, bot.language, bot.embedder, bot.quality, bot.hasKey ? "yes" : "none"];
  });
  return table(["NAME", "ID", "QUOTA", "A MINUTE", "LANGUAGE", "EMBEDDER", "QUALITY", "KEY"], rows);
}

export const botShow: Command = {
  usage: "bot show BOT",
  summary: "its limits and what is used of them, its knowledge, its size",
  positionals: [1, 1],
  options: {},
  examples: ["bot show acme"],
  async run({ positionals: [name = ""], terminal, json, operator }) {
    const details = await (await operator()).showBot(name);
    terminal.out(json ? jsonLine(details) : describe(details, terminal));
    return 0;
  },
};

function describe({ bot, stats, advice = [] }: BotDetails, terminal: Terminal): string {
  const documents = Object.entries(stats.documents).filter(([, number]) => number > 0);
  const passages = Object.entries(stats.passages).filter(([, number]) => number > 0);
  const listed = (entries: readonly [string, number][]): string =>
    entries.length === 0 ? "none" : entries.map(([type, number]) => `${grouped(number)} ${type}`).join(", ");
  const queue =
    stats.indexQueue === 0 ? "everything is searchable" : `${counted(stats.indexQueue, "waits", "wait")} to be indexed`;
  const failures = stats.indexFailures === 0 ? "" : `, ${grouped(stats.indexFailures)} could not be: see the log`;
  const lines = [
    ["id", bot.id],
    ["made", bot.createdAt],
    ["language", languageLine(bot.language, stats.languageChange)],
    ["key", bot.hasKey ? "in force" : "none"],
    ["characters", `${grouped(stats.characterUsed)} of ${grouped(stats.characterQuota)}`],
    ["last minute", `${grouped(stats.rateUsed)} of ${grouped(stats.rateLimit)} characters${windowEnd(stats)}`],
    [
      "bytes",
      `${sized(stats.bytesUsed)} of ${sized(stats.quotaBytes)}; in the last minute ${sized(stats.rateBytesUsed)} of ${sized(stats.rateBytesPerMinute)}`,
    ],
    ...importsLine(stats),
    ["articles", grouped(stats.articles)],
    ["documents", listed(documents)],
    ["passages", listed(passages)],
    ["index", queue + failures],
    ["embedder", meaning(stats.vectors)],
    ...[stats.vectors.missing, stats.vectors.graphMissing].flatMap((missing) =>
      missing === undefined ? [] : [["missing", oneLine(missing.story)]],
    ),
    ...rerankLine(stats.vectors),
    ["quality", bot.quality],
    ...questionLogLine(bot),
    ...advice.map(({ story }) => ["advice", oneLine(story)]),
    ...(bot.fault === undefined ? [] : [["fault", `${FAULTS[bot.fault.kind]}: ${oneLine(bot.fault.message)}`]]),
    ["disk", sized(stats.diskBytes)],
    ["memory", `about ${sized(stats.memoryBytes)}`],
  ];
  return `${bold(oneLine(bot.name), terminal)}\n${lines.map(([name, value]) => `  ${(name ?? "").padEnd(12)} ${value}`).join("\n")}\n`;
}

/** When the window of the rate is empty, if it is not. */
function windowEnd({ rateResetSeconds = 0 }: BotDetails["stats"]): string {
  return rateResetSeconds === 0 ? "" : `; the window is empty in ${counted(rateResetSeconds, "second", "seconds")}`;
}

/** The bytes of its imported documents, with their limit. */
function importsLine({ importBytesUsed, importBytes = NONE }: BotDetails["stats"]): string[][] {
  if (importBytesUsed === undefined) return [];
  const bound = importBytes === NONE ? "" : ` of ${sized(importBytes)}`;
  return [["imports", `${sized(importBytesUsed)}${bound}`]];
}

/** A bot's language, with the progress of a change of language. */
export function languageLine(language: string, change: LanguageChange | undefined): string {
  if (change === undefined) return language;
  return `${language}: ${grouped(change.documentsRead)} of ${counted(change.documents, "document", "documents")} read in it; until all are, questions are answered by the words of the language before`;
}

/** How many of its embedding windows have vectors, in a line. */
function meaning({ embedder, texts, vectors, ...more }: VectorStats): string {
  if (embedder === NO_EMBEDDER) return `none: found ${foundBy("words")}`;
  const { staticVectors } = more;
  const byStatic = staticVectors === 0 ? [] : [`${grouped(staticVectors)} by the built-in small encoder`];
  const parts = [`${embedder}: ${grouped(vectors)} of ${grouped(texts)} vectors made`, ...byStatic];
  if (more.documentsWaiting > 0) parts.push(counted(more.documentsWaiting, "document waits", "documents wait"));
  if (more.documentsGivenUp > 0)
    parts.push(
      `${counted(more.documentsGivenUp, "was refused and is", "were refused and are")} tried again after a restart`,
    );
  if (more.failures > 0) parts.push(counted(more.failures, "failure", "failures"));
  if (more.lastFailure !== undefined) parts.push(`the last: ${oneLine(more.lastFailure)}`);
  return `${parts.join(", ")}; ${NEAREST[more.graph]}`;
}

/** How many of its embedding windows have token codes; nothing if none are kept. */
function rerankLine({ tokenCodes, texts }: VectorStats): string[][] {
  if (tokenCodes === undefined) return [];
  const waiting =
    tokenCodes.documentsWaiting === 0
      ? ""
      : `, ${counted(tokenCodes.documentsWaiting, "document waits", "documents wait")}`;
  const givenUp =
    tokenCodes.documentsGivenUp === 0
      ? ""
      : `, ${counted(tokenCodes.documentsGivenUp, "document is", "documents are")} tried again after a restart`;
  const line = `token codes of ${grouped(tokenCodes.texts)} of ${grouped(texts)} texts, ${sized(tokenCodes.diskBytes)}${waiting}${givenUp}`;
  return [["reranking", line]];
}

/** The search for the nearest passages, by the state of the graph. */
const NEAREST: Readonly<Record<VectorStats["graph"], string>> = {
  none: "exact scan",
  unavailable: "exact scan",
  building: "exact scan while the graph is built",
  ready: "HNSW graph",
};

const CHANGES = {
  name: { kind: "text", value: "NAME", help: "its new name", setting: false },
  ...settings(false),
} as const satisfies Options;

export const botSet: Command = {
  usage: "bot set BOT",
  summary: "change its name, its limits, its language, its embedder, its quality or its question log",
  positionals: [1, 1],
  options: CHANGES,
  examples: ["bot set acme --quota 5_000_000 --quality fast"],
  async run({ positionals: [bot = ""], options, terminal, json, operator }) {
    const name = text(options, "name");
    const changes = { ...settingsOf(options), ...(name === undefined ? {} : { name }) };
    if (Object.keys(changes).length === 0)
      throw new UsageError(`nothing to set: give ${listed(Object.keys(CHANGES).map((option) => `--${option}`))}`);
    const way = await operator();
    const isOther = changes.embedder !== undefined || changes.language !== undefined;
    const before = isOther ? (await way.showBot(bot)).bot : undefined;
    const info = await set(way, before?.id ?? bot, changes, new Progress(terminal));
    terminal.out(json ? jsonLine(info) : settingsTable([info]));
    if (before === undefined) return 0;
    if (changes.embedder === undefined) tellEmbedder(before, info, terminal);
    tellVectors(before, info, terminal);
    tellMissing(await way.showBot(info.id), terminal);
    return 0;
  },
};

/** Says which embedder the bot has after a change of language: the embedder may follow the language, or stay as it was chosen before. */
function tellEmbedder(before: BotInfo, now: BotInfo, terminal: Terminal): void {
  if (before.language === now.language) return;
  const line = (embedder: string): string => `loredex bot set ${now.id} --embedder ${embedder}`;
  if (before.embedder !== now.embedder)
    terminal.err(
      `Its embedder is ${oneLine(now.embedder)} now, as for every bot of this language; the one of before: ${oneLine(line(before.embedder))}
`,
    );
  else if (ENGLISH_EMBEDDERS.includes(now.embedder) && languageOf(now.language) !== "en")
    terminal.err(`Its embedder is still ${now.embedder}, which understands English only; for ${oneLine(now.language)}: ${line("multilingual")}
`);
}

/** Vectors of these are in one space: a bot that changes between them keeps its vectors. */
const ONE_SPACE = ["static", "minilm"];

/** Says what makes the vectors of a new embedder: its figures count those of the embedder before until it is open. */
function tellVectors(before: BotInfo, now: BotInfo, terminal: Terminal): void {
  if (before.embedder === now.embedder || [before.embedder, now.embedder].includes("none")) return;
  if ([before.embedder, now.embedder].every((embedder) => ONE_SPACE.includes(embedder))) return;
  terminal.err(
    `Its vectors are made again by a running server, or at the next \`loredex import ${now.id} … --wait-vectors\`; until then words answer.
`,
  );
}

/**
 * Sets a bot, and shows the progress. A running server gives all windows of a bot with a new embedder static vectors before it answers.
 * That takes a while for a large bot.
 */
async function set(
  operator: Operator,
  id: string,
  changes: Partial<BotSettings>,
  progress: Progress,
): Promise<BotInfo> {
  if (changes.embedder === undefined && changes.language === undefined) return operator.setBot(id, changes);
  try {
    // By its id, since its name may change too.
    return await withProgress(operator.setBot(id, changes), { operator, bot: id, progress, line: ownLine });
  } finally {
    progress.clear();
  }
}

function ownLine({ vectors, staticVectors, texts }: VectorStats): string {
  return `${grouped(vectors + staticVectors)} of ${grouped(texts)} vectors made`;
}

export const botRemove: Command = {
  usage: "bot remove BOT --yes",
  summary: "remove a bot with everything it knows, for good",
  positionals: [1, 1],
  options: { yes: { kind: "switch", help: "needed, for nothing brings it back", setting: false } },
  examples: ["bot remove acme --yes"],
  async run({ positionals: [name = ""], options, terminal, json, operator }) {
    if (!flag(options, "yes"))
      throw new UsageError(`this removes ${name} with all its knowledge, for good: say --yes if you mean it`);
    await (await operator()).removeBot(name);
    if (json) terminal.out(jsonLine({ removed: name }));
    else terminal.err(`Bot ${oneLine(name)} is removed.\n`);
    return 0;
  },
};
