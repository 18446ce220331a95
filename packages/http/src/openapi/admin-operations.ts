import type { ADMIN_ANSWERS, ADMIN_SCHEMAS } from "./admin-schemas.ts";
import { ALWAYS, type ErrorName, failures, UNAVAILABLE_ALWAYS, WITH_BODY, WRITING } from "./failures.ts";
import { CODING, REQUEST_ID } from "./headers.ts";
import { ref } from "./reference.ts";

/** How an operation of the admin API is described. */

type AnswerName = keyof typeof ADMIN_ANSWERS | "ArticleWritten" | "ArticleList" | "ArticleFound" | "ArticleDeleted";
type MoreAnswers = "ArticlePreviewed" | "UsageAnswered" | "QueryAnswered" | "Suggested";
type BodyName = keyof typeof ADMIN_SCHEMAS | "ArticleCreate" | "ArticleUpdate" | "ArticlePreview";
type MoreBodies = "SearchRequest" | "QueryRequest" | "SuggestRequest";

interface Described {
  /** What it does, as the summary; a full stop and more are its description. */
  readonly does: string;
  readonly answers: AnswerName | MoreAnswers;
  readonly takes?: BodyName | MoreBodies;
  /** Whether the body may be left out: all its fields may. Default false. */
  readonly mayBeEmpty?: boolean;
  /** Headers of the answer. */
  readonly headers?: object;
  readonly parameters?: readonly object[];
  /** Refusals beside those of all operations of its kind. */
  readonly refused?: readonly ErrorName[];
}

export const READING: readonly ErrorName[] = [
  ...ALWAYS,
  "UNAUTHENTICATED",
  "ROUTE_NOT_FOUND",
  "INTERNAL",
  ...UNAVAILABLE_ALWAYS,
];
const OF_BOT: readonly ErrorName[] = [...READING, "ADMIN_BOT_NOT_FOUND"];
const CHANGE: readonly ErrorName[] = ["ADMIN_SCOPE", "CROSS_SITE", ...WRITING];

const SUCCEEDS = "What was asked for, or what was done.";

export function operation(
  operationId: string,
  { does, answers, takes, mayBeEmpty = false, headers = {}, parameters, refused = [] }: Described,
  { groups, status = "200" }: { readonly groups: readonly (readonly ErrorName[])[]; readonly status?: "200" | "202" },
) {
  const [summary = does, ...rest] = does.split(". ");
  const coding = "etag" in headers ? {} : CODING;
  return {
    operationId,
    tags: ["Admin"],
    summary,
    description: [...rest, "Needs an admin key, and a server with --console."].join(". "),
    security: ADMIN_SECURITY,
    ...(parameters === undefined ? {} : { parameters }),
    ...(takes === undefined
      ? {}
      : {
          requestBody: { required: !mayBeEmpty, content: { "application/json": { schema: ref(takes) } } },
        }),
    responses: {
      [status]: {
        description: SUCCEEDS,
        headers: { ...REQUEST_ID, ...coding, ...headers },
        content: { "application/json": { schema: ref(answers) } },
      },
      ...failures(...groups, takes === undefined ? [] : WITH_BODY, refused),
    },
  };
}

const ADMIN_SECURITY = [{ key: [] }, { bearer: [] }, { session: [] }];

export const reads = (id: string, described: Described) => operation(id, described, { groups: [READING] });
export const readsBot = (id: string, described: Described) => operation(id, described, { groups: [OF_BOT] });
export const changes = (id: string, described: Described) => operation(id, described, { groups: [READING, CHANGE] });
export const changesBot = (id: string, described: Described) => operation(id, described, { groups: [OF_BOT, CHANGE] });
export const begins = (id: string, described: Described) =>
  operation(id, described, { groups: [OF_BOT, CHANGE], status: "202" });

/** The same operation with another answer of 200. */
export function withAnswer<Operation extends { readonly responses: object }>(described: Operation, answer: object) {
  return { ...described, responses: { ...described.responses, "200": answer } };
}
