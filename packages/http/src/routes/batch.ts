import { type ArticleOperation, parseArticleOperations, readJson, type WriteOptions } from "@loredex/core";
import type { ApiBot } from "../engine.ts";
import { arrayReply, type Reply } from "../reply.ts";
import { CREATED, deletedBody, UPDATED, writtenBody } from "./article-bodies.ts";
import type { BotRequest } from "./bot-request.ts";
import { untilDeadline } from "./in-time.ts";

/** The answer that one operation would have had alone. */
interface Result {
  readonly status: number;
  readonly body: unknown;
  /** Whole seconds. */
  readonly retryAfter?: number;
}

/**
 * `POST /api/v1/knowledge/batch`: runs each operation when the previous one is durable or refused.
 * After the client has left, no operation begins: the client could not learn its result. After the request's deadline, each is tried once.
 */
export async function runBatch(request: BotRequest): Promise<Reply> {
  const { bot, json, refusalOf, signal } = request;
  const results: Result[] = [];
  const operations = parseArticleOperations(await json());
  await untilDeadline(request, async (ended) => {
    for (const operation of operations) {
      signal.throwIfAborted();
      try {
        results.push({ status: 200, body: await run(bot, operation, { signal: ended }) });
      } catch (error) {
        results.push(resultOf(refusalOf(error)));
      }
    }
  });
  return arrayReply(200, { head: '{"success":true,"results":[', rows: results, tail: "]}" });
}

async function run(bot: ApiBot, operation: ArticleOperation, options: WriteOptions): Promise<unknown> {
  switch (operation.op) {
    case "create":
      return writtenBody(CREATED, await bot.createArticle(operation.article, options));
    case "update":
      return writtenBody(UPDATED, await bot.updateArticle(operation.id, operation.article, options));
    case "upsert": {
      const write = await bot.upsertArticle(operation.by, operation.article, options);
      return writtenBody(write.isNew ? CREATED : UPDATED, write);
    }
    case "delete":
      await bot.deleteArticle(operation.id, options);
      return deletedBody(operation.id);
  }
}

function resultOf({ status, headers, slices }: Reply): Result {
  const text = [...slices].join("");
  const isJson = headers["content-type"]?.startsWith("application/json") === true;
  const retryAfter = headers["retry-after"];
  return {
    status,
    body: isJson ? readJson(text) : text,
    ...(retryAfter === undefined ? {} : { retryAfter: Number(retryAfter) }),
  };
}
