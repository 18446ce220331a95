import { VIOLATIONS_MAX } from "@loredex/core";
import { ref } from "./reference.ts";

/** The most bots with a fault that `/ready` names. */
export const FAULTS_NAMED_MAX = 100;

/** The schemas of refusals, and of the server's own state, by name. */

export const InvalidInput = {
  type: "object",
  required: ["message", "code", "status", "data"],
  properties: {
    message: { type: "string" },
    code: { const: 1001 },
    status: { const: 400 },
    data: {
      type: "object",
      required: ["result"],
      properties: {
        result: {
          type: "array",
          minItems: 1,
          maxItems: VIOLATIONS_MAX,
          description: `Every broken rule; beyond ${VIOLATIONS_MAX} of them message says how many more there are.`,
          items: {
            type: "object",
            required: ["message", "field", "type"],
            properties: {
              message: { type: "string" },
              field: { type: "string", description: "Dotted name, for example options.topK or activeOn.0.channel." },
              type: { type: "string", description: "The rule, for example required or maxLength." },
            },
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

const errorSchema = (code: object, status: object) => ({
  type: "object",
  required: ["message", "code", "status"],
  properties: {
    message: { type: "string", description: "For people; it may change." },
    code: { ...code, description: "What went wrong. It stays the same in all versions." },
    status: { ...status, description: "The status of the answer." },
  },
  additionalProperties: false,
});

const withError = (error: object) => ({
  type: "object",
  required: ["success", "error"],
  properties: { success: { const: false }, error },
  additionalProperties: false,
});

/** A refusal with these codes and statuses. */
export const failureSchema = (code: object, status: object) => withError(errorSchema(code, status));

export const FailureError = errorSchema({ type: "integer" }, { type: "integer" });

export const Failure = withError(ref("FailureError"));

export const Condition = {
  type: "object",
  required: ["status"],
  properties: { status: { const: "ok" } },
  additionalProperties: false,
};

export const Faults = {
  type: "object",
  description: "Bots that cannot be used, or not be written to. They do not keep the server from being ready.",
  required: ["count", "bots"],
  properties: {
    count: { type: "integer", description: "How many there are." },
    bots: {
      type: "array",
      maxItems: FAULTS_NAMED_MAX,
      items: {
        type: "object",
        required: ["id", "kind"],
        properties: {
          id: { type: "string" },
          kind: {
            type: "string",
            enum: ["damaged", "inaccessible", "readOnly", "notWritable"],
            description:
              "damaged: refused until it is repaired. inaccessible: its files cannot be opened just now. readOnly: writes are refused until a restart. notWritable: writes fail just now.",
          },
        },
        additionalProperties: false,
      },
    },
    databaseUnreachable: {
      type: "boolean",
      description:
        "True while the database that several servers share does not answer, absent otherwise: nothing can be written. The server stays ready as long as it answers searches from memory.",
    },
  },
  additionalProperties: false,
};

export const Readiness = {
  type: "object",
  required: ["status", "faults"],
  properties: { status: { const: "ready" }, faults: ref("Faults") },
  additionalProperties: false,
};

export const NotReady = {
  ...Failure,
  properties: { ...Failure.properties, faults: ref("Faults") },
};
