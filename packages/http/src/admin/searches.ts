import { QUERY_CHARACTERS_MAX, RESOURCE_ID_CHARACTERS_MAX, SEARCH_QUALITIES, type SearchOptions } from "@loredex/core";
import { violation } from "../errors.ts";
import { isRecord } from "../json.ts";
import { arrayReply, type Reply } from "../reply.ts";
import { inTime } from "../routes/in-time.ts";
import { queryReply, stalenessOf } from "../routes/search.ts";
import { suggestTexts } from "../routes/suggest.ts";
import { aChoice, anything, aText, maybe, readFields, readNoQuery, readQuery } from "./fields.ts";
import { type AdminBotRequest, DONE, dataReply } from "./request.ts";

/** Searches that are not kept in the question log, explanations, and the words of a bot. */

/** A question of the operator is none of the users. */
const UNNOTED = { noted: false };

export async function search(request: AdminBotRequest): Promise<Reply> {
  const { quality } = readQuery(request.query, { quality: maybe(aChoice(SEARCH_QUALITIES)) });
  const bot = await request.opened();
  const body = await request.json();
  const answer = await inTime("search", request, (ended) => bot.answerRequest(body, quality, ended, UNNOTED));
  const rows = { head: '{"success":true,"data":[', rows: answer.results, tail: "]}" };
  return arrayReply(200, rows, stalenessOf(answer));
}

export async function query(request: AdminBotRequest): Promise<Reply> {
  const { quality } = readQuery(request.query, { quality: maybe(aChoice(SEARCH_QUALITIES)) });
  const bot = await request.opened();
  const body = await request.json();
  return queryReply(await inTime("search", request, (ended) => bot.queryRequest(body, quality, ended, UNNOTED)));
}

export async function suggest(request: AdminBotRequest): Promise<Reply> {
  readNoQuery(request.query);
  return suggestTexts(await request.asBotRequest());
}

export async function explain(request: AdminBotRequest): Promise<Reply> {
  readNoQuery(request.query);
  const bot = await request.opened();
  const asked = readFields(await request.json(), {
    query: aText({ max: QUERY_CHARACTERS_MAX }),
    id: aText({ max: RESOURCE_ID_CHARACTERS_MAX }),
    options: maybe(anything),
  });
  const options = searchOptions(asked.options);
  const explained = await inTime("explanation", request, (signal) =>
    bot.explain(asked.query, asked.id, { ...options, signal }),
  );
  return dataReply(explained);
}

/** Boundary: the engine checks the options, but for those that only a program can give. @throws ValidationError */
function searchOptions(given: unknown): SearchOptions {
  if (given === undefined) return {};
  if (!isRecord(given)) throw violation("options must be an object", "options", "object");
  for (const name of ["signal", "noted", "requestId"]) {
    if (Object.hasOwn(given, name)) throw violation(`${name} is not a known option`, `options.${name}`, "unknownField");
  }
  return given as SearchOptions;
}

export async function getVocabulary({ admin, bot, query }: AdminBotRequest): Promise<Reply> {
  readNoQuery(query);
  return dataReply(await admin.operator.getVocabulary(bot.id));
}

export async function setVocabulary({ admin, bot, json }: AdminBotRequest): Promise<Reply> {
  await admin.operator.setVocabulary(bot.id, await json());
  return DONE();
}
