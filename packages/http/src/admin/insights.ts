import type { GoldenInput } from "@loredex/core";
import { INSIGHTS_LIMIT_MAX } from "@loredex/core";
import { HttpError, violation } from "../errors.ts";
import type { Reply } from "../reply.ts";
import { withField } from "./failures.ts";
import { aNumeral, anything, maybe, readFields, readQuery } from "./fields.ts";
import { type AdminBotRequest, conditionOf, DONE, dataReply, parameter, taggedReply } from "./request.ts";

/** What users ask and do not find, golden questions and runs. */

export async function getGolden({ admin, bot }: AdminBotRequest): Promise<Reply> {
  const insights = await admin.insights(bot.id);
  const questions = await insights.golden();
  return taggedReply({ questions }, questions);
}

export async function setGolden(request: AdminBotRequest): Promise<Reply> {
  const { admin, bot } = request;
  const { questions } = readFields(await request.json(), { questions: anything });
  if (!Array.isArray(questions)) throw violation("questions must be a list", "questions", "array");
  const insights = await admin.insights(bot.id);
  // Boundary: the engine checks every question.
  const set = insights.setGolden(questions as readonly GoldenInput[], conditionOf(request));
  const kept = await set.catch((error: unknown) => {
    throw withField(error, "golden", "questions");
  });
  return taggedReply({ questions: kept }, kept);
}

export async function listRuns({ admin, bot }: AdminBotRequest): Promise<Reply> {
  return dataReply(await (await admin.insights(bot.id)).runs());
}

export async function getRun(request: AdminBotRequest): Promise<Reply> {
  const run = await (await request.admin.insights(request.bot.id)).run(parameter(request, "id"));
  if (run === undefined) throw new HttpError("RUN_NOT_FOUND");
  return dataReply(run);
}

export async function listGaps({ admin, bot, query }: AdminBotRequest): Promise<Reply> {
  const asked = readQuery(query, { limit: maybe(aNumeral(1, INSIGHTS_LIMIT_MAX)) });
  return dataReply(await (await admin.insights(bot.id)).gaps(asked));
}

export async function listQuestions({ admin, bot, query }: AdminBotRequest): Promise<Reply> {
  const asked = readQuery(query, {
    limit: maybe(aNumeral(1, INSIGHTS_LIMIT_MAX)),
    before: maybe(aNumeral(0, Number.MAX_SAFE_INTEGER)),
  });
  return dataReply(await (await admin.insights(bot.id)).questions(asked));
}

export async function clearQuestions({ admin, bot }: AdminBotRequest): Promise<Reply> {
  await (await admin.insights(bot.id)).clear();
  return DONE();
}

export async function listFindings({ admin, bot }: AdminBotRequest): Promise<Reply> {
  const insights = await admin.insights(bot.id);
  // One after the other: each reads all documents.
  const neverFound = await insights.neverFound();
  const nearDuplicates = await insights.nearDuplicates();
  const contradictions = await insights.contradictions();
  return dataReply({ neverFound, nearDuplicates, contradictions, weeks: await insights.weeks() });
}
