import { QUERY_CHARACTERS_MAX, RESOURCE_ID_CHARACTERS_MAX, SEARCH_QUALITIES, type SearchOptions } from "@loredex/core";
import { violation } from "../errors.ts";
import { isRecord } from "../json.ts";
import { arrayReply, type Reply } from "../reply.ts";
import { inTime } from "../routes/in-time.ts";
import { queryReply, stalenessOf } from "../routes/search.ts";
import { suggestTexts } from "../routes/suggest.ts";
import { withField } from "./failures.ts";
import { aChoice, anything, aText, maybe, readFields, readQuery, refuse } from "./fields.ts";
import { type AdminBotRequest, conditionOf, dataReply, taggedReply } from "./request.ts";

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
  return suggestTexts(await request.asBotRequest());
}

export async function explain(request: AdminBotRequest): Promise<Reply> {
  const bot = await request.opened();
  const asked = readFields(await request.json(), {
    query: aText({ max: QUERY_CHARACTERS_MAX }),
    id: aText({ max: RESOURCE_ID_CHARACTERS_MAX }),
    options: maybe(anything),
  });
  const options = searchOptions(asked.options);
  const explained = await inTime("explanation", request, (signal) =>
    bot.explain(asked.query, asked.id, { ...options, signal }),
  ).catch((error: unknown) => {
    throw OPTIONS_OF_PROGRAMS.reduce((told, name) => withField(told, name, `options.${name}`), error);
  });
  return dataReply(explained);
}

/** Options that errors of the engine name without `options.`, as programs pass them. */
const OPTIONS_OF_PROGRAMS = ["filters", "quality", "vocabulary"];
/** The options of a search, but for those that only a program can give. */
const KNOWN: Readonly<Record<Exclude<keyof SearchOptions, "signal" | "noted" | "requestId">, true>> = {
  ...{ filters: true, topK: true, includeFaqs: true, includeContent: true, onlyActiveIntents: true, context: true },
  ...{ contextCharacters: true, offset: true, minScore: true, quality: true, vocabulary: true },
};
const KNOWN_OPTIONS = Object.keys(KNOWN);

/** Boundary: the engine checks the values. Options that only a program can give are unknown here. @throws ValidationError */
function searchOptions(given: unknown): SearchOptions {
  if (given === undefined) return {};
  if (!isRecord(given)) throw violation("options must be an object", "options", "object");
  const unknown = Object.keys(given).filter((name) => !KNOWN_OPTIONS.includes(name));
  refuse(
    unknown.map((name) => {
      const field = `options.${name}`;
      const message = `${field} is not a known option; known are ${KNOWN_OPTIONS.join(", ")}`;
      return { field, type: "unknownField", message };
    }),
  );
  return given as SearchOptions;
}

export async function getVocabulary({ opened }: AdminBotRequest): Promise<Reply> {
  const vocabulary = await (await opened()).getVocabulary();
  return taggedReply(vocabulary, vocabulary);
}

/** A list that is left out is empty. So `{}`, as a mistake leaves it, would delete all. */
const NO_VOCABULARY = "body must have synonyms, pins or ignored; to delete the whole vocabulary, send an empty list";

export async function setVocabulary(request: AdminBotRequest): Promise<Reply> {
  const given = await request.json();
  if (Object.keys(given).length === 0) throw violation(NO_VOCABULARY, "body", "required");
  const bot = await request.opened();
  return taggedReply({}, await bot.setVocabulary(given, conditionOf(request)));
}
