import { QUERY_CHARACTERS_MAX, type SearchFilter, TOP_K_DEFAULT, ValidationError, type Violation } from "@loredex/core";
import { isRecord, type JsonRecord } from "../json.ts";
import { filtersOf } from "./conditions.ts";
import { fieldIn } from "./values.ts";

/** A request of Dify, with its defaults filled in. */
export interface RetrievalRequest {
  /** As it was entered in Dify. It must name the bot of the key. */
  readonly knowledgeId: string;
  readonly query: string;
  readonly filters: SearchFilter;
  /** The most records to return. */
  readonly topK: number;
  /** From 0 to 1. Records below it are left out. */
  readonly scoreThreshold: number;
}

/**
 * Reads a request of Dify's external knowledge API. Dify sends null for an absent field.
 * Unknown fields are ignored: the contract is Dify's, and a newer version must not break what worked.
 * @throws ValidationError naming every broken rule
 */
export function parseRetrieval(body: JsonRecord): RetrievalRequest {
  const violations: Violation[] = [];
  const broken = (field: string, type: string, message: string): void => {
    violations.push({ field, type, message: `${field} ${message}` });
  };
  const text = (field: string): string => {
    const value = fieldIn(body, field);
    if (value === undefined) broken(field, "required", "is required");
    else if (typeof value !== "string" || !value.isWellFormed()) broken(field, "string", "must be a string");
    else if (value === "") broken(field, "minLength", "must have at least 1 character");
    else return value;
    return "";
  };
  const knowledgeId = text("knowledge_id");
  const query = cut(text("query"));

  const given = fieldIn(body, "retrieval_setting");
  if (given !== undefined && !isRecord(given)) broken("retrieval_setting", "object", "must be an object");
  const setting = isRecord(given) ? given : {};
  const topK = fieldIn(setting, "top_k") ?? TOP_K_DEFAULT;
  if (typeof topK !== "number" || !Number.isInteger(topK)) {
    broken("retrieval_setting.top_k", "integer", "must be an integer");
  } else if (topK < 1) {
    broken("retrieval_setting.top_k", "range", "must be at least 1");
  }
  const scoreThreshold = fieldIn(setting, "score_threshold") ?? 0;
  if (typeof scoreThreshold !== "number") {
    broken("retrieval_setting.score_threshold", "number", "must be a number");
  } else if (scoreThreshold < 0 || scoreThreshold > 1) {
    broken("retrieval_setting.score_threshold", "range", "must be from 0 to 1");
  }

  const filters = filtersOf(fieldIn(body, "metadata_condition"), broken);
  if (violations.length > 0 || typeof topK !== "number" || typeof scoreThreshold !== "number") {
    throw new ValidationError(violations);
  }
  return { knowledgeId, query, filters, topK, scoreThreshold };
}

/** Cuts a query to the longest that the search takes. A chat message may be a whole letter, and Dify sends it unchanged. */
function cut(query: string): string {
  return query.length <= QUERY_CHARACTERS_MAX ? query : [...query].slice(0, QUERY_CHARACTERS_MAX).join("");
}
