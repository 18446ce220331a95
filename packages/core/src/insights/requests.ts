import {
  FEEDBACK_COMMENT_CHARACTERS_MAX,
  INSIGHTS_LIMIT_DEFAULT,
  INSIGHTS_LIMIT_MAX,
  REQUEST_ID_CHARACTERS_MAX,
  RESOURCE_ID_CHARACTERS_MAX,
} from "../model/limits.ts";
import { own, Violations } from "../model/validation.ts";
import type { FeedbackInput, GapRequest, QuestionPageRequest } from "./types.ts";

const FEEDBACK_FIELDS = new Set(["requestId", "resourceDocId", "helpful", "comment"]);

/** Validates feedback; the body of a request over HTTP. @throws ValidationError naming every broken rule */
export function parseFeedback(input: unknown): FeedbackInput {
  const violations = new Violations();
  const fields = violations.object("body", input);
  if (fields === undefined) return violations.throwIfAny() as never;
  violations.unknownFields(fields, FEEDBACK_FIELDS);
  const text = (field: string, min: number, max: number): string | undefined => {
    const value = own(fields, field) ?? undefined;
    return value === undefined ? undefined : violations.string(field, value, { min, max });
  };
  for (const field of ["requestId", "helpful"]) {
    if (own(fields, field) === undefined) violations.add(field, "required", `${field} is required`);
  }
  const id = own(fields, "requestId");
  const requestId =
    id === undefined ? "" : violations.string("requestId", id, { min: 1, max: REQUEST_ID_CHARACTERS_MAX });
  const resourceDocId = text("resourceDocId", 1, RESOURCE_ID_CHARACTERS_MAX);
  const comment = text("comment", 0, FEEDBACK_COMMENT_CHARACTERS_MAX);
  const said = own(fields, "helpful");
  const helpful = said === undefined ? undefined : violations.boolean("helpful", said);
  violations.throwIfAny();
  return {
    requestId: requestId ?? "",
    helpful: helpful === true,
    ...(resourceDocId === undefined ? {} : { resourceDocId }),
    ...(comment === undefined || comment === "" ? {} : { comment }),
  };
}

/** Validates the request of a page of the question log. @throws ValidationError */
export function parseQuestionPage({ limit, before }: QuestionPageRequest): { limit: number; before: number } {
  const violations = new Violations();
  const known = limitOf(limit, violations);
  const end = before === undefined ? Number.MAX_SAFE_INTEGER : before;
  violations.number("before", end, { min: 1, isInteger: true });
  violations.throwIfAny();
  return { limit: known, before: end };
}

/** Validates the request of a list of gaps. @throws ValidationError */
export function parseGapRequest({ limit, belowScore }: GapRequest, gapScore: number): Required<GapRequest> {
  const violations = new Violations();
  const known = limitOf(limit, violations);
  const score = violations.number("belowScore", belowScore === undefined ? gapScore : belowScore, {
    min: 0,
    max: 1,
    isInteger: false,
  });
  violations.throwIfAny();
  return { limit: known, belowScore: score ?? gapScore };
}

function limitOf(limit: number | undefined, violations: Violations): number {
  const range = { min: 1, max: INSIGHTS_LIMIT_MAX, isInteger: true };
  return (
    violations.number("limit", limit === undefined ? INSIGHTS_LIMIT_DEFAULT : limit, range) ?? INSIGHTS_LIMIT_DEFAULT
  );
}
