import { type Gap, INSIGHTS_LIMIT_DEFAULT, INSIGHTS_LIMIT_MAX, type QuestionRow } from "@loredex/core";
import { type GoldenFile, readGoldenFile } from "../evaluation/golden-file.ts";
import { counted, grouped, jsonLine, oneLine, table } from "../terminal/terminal.ts";
import { type Command, count, flag, number, UsageError } from "./command.ts";

const LIMIT = {
  kind: "count",
  value: "N",
  min: 1,
  max: INSIGHTS_LIMIT_MAX,
  default: INSIGHTS_LIMIT_DEFAULT,
  setting: false,
} as const;
/** What a bot without a question log has to do for one. */
const NO_LOG = (bot: string): string =>
  `It keeps no questions; "loredex bot set ${oneLine(bot)} --question-log" lets it keep them.\n`;

export const gapsCommand: Command = {
  usage: "gaps BOT",
  summary: "what users ask and do not find, grouped by meaning, worst first",
  positionals: [1, 1],
  options: {
    limit: { ...LIMIT, help: "most groups to show" },
    below: {
      kind: "number",
      value: "X",
      min: 0,
      max: 1,
      help: "count questions whose best score is lower, 0 to 1",
      default: "the bot's --gap-score",
      setting: false,
    },
  },
  examples: ["gaps acme --limit 10", "gaps acme --json"],
  async run({ positionals: [bot = ""], options, terminal, json, operator }) {
    const data = await operator();
    const [limit, belowScore] = [count(options, "limit"), number(options, "below")];
    const request = { ...(limit === undefined ? {} : { limit }), ...(belowScore === undefined ? {} : { belowScore }) };
    const gaps = await data.listGaps(bot, request);
    if (json) terminal.out(jsonLine(gaps));
    else if (gaps.length > 0)
      terminal.out(table(["QUESTION", "COUNT", "7 DAYS", "BEFORE", "BEST", "NEAREST DOCUMENT"], gaps.map(gapRow)));
    else if ((await data.showBot(bot)).bot.questionLog) terminal.err("No question found little.\n");
    else terminal.err(NO_LOG(bot));
    return 0;
  },
};

function gapRow({ question, count: all, countWeek, countBefore, bestScore, nearest }: Gap): string[] {
  const counts = [all, countWeek, countBefore].map(grouped);
  return [oneLine(question), ...counts, bestScore.toFixed(2), oneLine(nearest?.title ?? nearest?.id ?? "")];
}

export const questionList: Command = {
  usage: "question list BOT",
  summary: "the questions of users, newest first, with their best score",
  positionals: [1, 1],
  options: { limit: { ...LIMIT, help: "most questions to show" } },
  examples: ["question list acme --limit 20"],
  async run({ positionals: [bot = ""], options, terminal, json, operator }) {
    const data = await operator();
    const limit = count(options, "limit");
    const rows = await data.listQuestions(bot, limit === undefined ? {} : { limit });
    if (json) terminal.out(jsonLine(rows));
    else if (rows.length > 0) terminal.out(table(["ASKED", "BEST", "HELPED", "QUESTION"], rows.map(questionRow)));
    else if ((await data.showBot(bot)).bot.questionLog) terminal.err("Nothing was asked yet.\n");
    else terminal.err(NO_LOG(bot));
    return 0;
  },
};

function questionRow({ askedAt, bestScore, feedback, question }: QuestionRow): string[] {
  const helped = feedback === undefined ? "" : feedback.helpful ? "yes" : "no";
  return [askedAt, bestScore.toFixed(2), helped, oneLine(question)];
}

export const questionClear: Command = {
  usage: "question clear BOT --yes",
  summary: "delete the questions of users, also from the disk",
  positionals: [1, 1],
  options: { yes: { kind: "switch", help: "needed, for nothing brings them back", setting: false } },
  examples: ["question clear acme --yes"],
  async run({ positionals: [bot = ""], options, terminal, json, operator }) {
    if (!flag(options, "yes"))
      throw new UsageError(`this deletes all questions that users asked ${bot}, for good: say --yes if you mean it`);
    await (await operator()).clearQuestions(bot);
    if (json) terminal.out(jsonLine({ cleared: bot }));
    else terminal.err(`The questions of ${oneLine(bot)} are deleted.\n`);
    return 0;
  },
};

export const goldenImport: Command = {
  usage: "golden import BOT FILE",
  summary: "replace the golden questions that are kept with a bot by those of a file",
  positionals: [2, 2],
  options: {},
  examples: ["golden import acme questions.jsonl"],
  async run({ positionals: [bot = "", path = ""], terminal, json, operator }) {
    const { questions, problems }: GoldenFile = await readGoldenFile(path);
    for (const { line, message } of problems) terminal.err(`${oneLine(path)}:${line}: ${oneLine(message)}\n`);
    // A half-read file would lose questions.
    if (problems.length > 0) return 1;
    if (questions.length === 0)
      throw new UsageError(`${oneLine(path)} has no question; "loredex golden clear" deletes all golden questions`);
    await (await operator()).setGolden(bot, questions);
    if (json) terminal.out(jsonLine({ questions: questions.length }));
    else terminal.err(`${oneLine(bot)} has ${counted(questions.length, "golden question", "golden questions")}.\n`);
    return 0;
  },
};

export const goldenClear: Command = {
  usage: "golden clear BOT --yes",
  summary: "delete the golden questions that are kept with a bot; its runs stay",
  positionals: [1, 1],
  options: { yes: { kind: "switch", help: "needed, for only an exported file brings them back", setting: false } },
  examples: ["golden clear acme --yes"],
  async run({ positionals: [bot = ""], options, terminal, json, operator }) {
    if (!flag(options, "yes"))
      throw new UsageError(`this deletes all golden questions of ${bot}: say --yes if you mean it`);
    await (await operator()).setGolden(bot, []);
    if (json) terminal.out(jsonLine({ cleared: bot }));
    else terminal.err(`${oneLine(bot)} has no golden questions.\n`);
    return 0;
  },
};

export const goldenExport: Command = {
  usage: "golden export BOT",
  summary: "the golden questions that are kept with a bot, one JSON object a line",
  positionals: [1, 1],
  options: {},
  examples: ["golden export acme > questions.jsonl"],
  async run({ positionals: [bot = ""], terminal, operator }) {
    for (const golden of await (await operator()).getGolden(bot)) terminal.out(jsonLine(golden));
    return 0;
  },
};
