import { ValidationError, VIOLATIONS_MAX } from "@loredex/core";
import { jsonReply, type Reply } from "../reply.ts";
import { queryParameters } from "../request-target.ts";
import type { ArticleRequest } from "./bot-request.ts";

/** `GET /api/v1/usage` */
export async function showUsage({ bot, query }: ArticleRequest): Promise<Reply> {
  refuseParameters(query);
  return jsonReply(200, { success: true, data: await bot.usage() });
}

/** A mistyped parameter must not be taken for one that has an effect. @throws ValidationError */
function refuseParameters(query: string): void {
  const names = queryParameters(query).map(([name]) => name);
  if (names.length === 0) return;
  const violations = names.slice(0, VIOLATIONS_MAX).map((name) => ({
    message: `${name} is not a known query parameter; there are none here`,
    field: name,
    type: "unknownField",
  }));
  throw new ValidationError(violations, names.length);
}
