import {
  type BotInfo,
  type BotSettings,
  GAP_SCORE_DEFAULT,
  QUESTION_LOG_DAYS_DEFAULT,
  QUESTION_LOG_DAYS_MAX,
} from "@loredex/core";
import type { Options } from "../configuration/option.ts";
import { count, flag, number, type OptionValues } from "./command.ts";

/** The options for the question log of a bot. With `forNew`, some may also be set in the environment and the file. */
export function questionLogOptions(forNew: boolean) {
  const defaultOf = (value: number): { readonly default?: number } => (forNew ? { default: value } : {});
  return {
    "question-log": {
      kind: "switch",
      help: "keep the questions of its users, masked, to find its gaps",
      setting: forNew,
    },
    "no-question-log": { kind: "switch", help: "keep no further questions", setting: false, excludes: "question-log" },
    "question-log-days": {
      kind: "count",
      value: "N",
      min: 1,
      max: QUESTION_LOG_DAYS_MAX,
      help: `days that a question is kept, 1 to ${QUESTION_LOG_DAYS_MAX}`,
      setting: forNew,
      ...defaultOf(QUESTION_LOG_DAYS_DEFAULT),
    },
    "gap-score": {
      kind: "number",
      value: "X",
      min: 0,
      max: 1,
      help: "questions whose best score is lower are gaps, 0 to 1",
      setting: forNew,
      ...defaultOf(GAP_SCORE_DEFAULT),
    },
  } as const satisfies Options;
}

/** The settings that these options give. */
export function questionLogSettings(options: OptionValues): Partial<BotSettings> {
  // A switch that is undone by =false is a setting too.
  const questionLog = flag(options, "no-question-log") ? false : options["question-log"];
  const [questionLogDays, gapScore] = [count(options, "question-log-days"), number(options, "gap-score")];
  return {
    ...(typeof questionLog === "boolean" ? { questionLog } : {}),
    ...(questionLogDays === undefined ? {} : { questionLogDays }),
    ...(gapScore === undefined ? {} : { gapScore }),
  };
}

/** The line of `bot show` for a bot with a question log. A server of an earlier version does not tell of one. */
export function questionLogLine({ questionLog, questionLogDays, gapScore }: Partial<BotInfo>): string[][] {
  if (questionLog !== true) return [];
  return [["questions", `kept for ${questionLogDays} days; gaps are those with a best score below ${gapScore}`]];
}
