/** The headers of answers, by name. */
export const HEADERS = {
  RequestId: {
    description:
      "Names this request in the service's log: the x-request-id of the request, or one of the service's own.",
    required: true,
    schema: { type: "string", pattern: "^\\S+$" },
    example: "4e1f6a0c-5a0b-4f9d-9c1d-2b1f0a3c7d55",
  },
  RetryAfter: {
    description: "Whole seconds after which the same request can succeed.",
    schema: { type: "integer", minimum: 1 },
    example: 12,
  },
  Challenge: {
    description: "The ways to send a key.",
    required: true,
    schema: { type: "string" },
    example: "ApiKey, Bearer",
  },
  Coding: {
    description:
      "How the body is compressed, where the request's Accept-Encoding allows it and it has more than 1 KiB; answers with an ETag never are.",
    schema: { enum: ["br", "gzip"] },
    example: "br",
  },
  ETag: {
    description:
      "Names the article, the vocabulary or the golden questions as they are in this answer: another one as soon as any field is another.",
    required: true,
    schema: { type: "string", pattern: '^"[^"]+"$' },
    example: '"mnoT3LkZkO5fWb0m1cXh1A-a"',
  },
  Replayed: {
    description:
      "The article was created before, by a request with the same Idempotency-Key: this is the answer of then.",
    schema: { const: "true" },
    example: "true",
  },
  Stale: {
    description:
      "Stands here while the database that several servers share does not answer: the answer may lack what others wrote in this many seconds before it.",
    schema: { type: "integer", minimum: 0 },
    example: 3,
  },
};

const header = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** The header of every answer. */
export const REQUEST_ID = { "x-request-id": header("RequestId") };
export const CODING = { "content-encoding": header("Coding") };
export const RETRY_AFTER = { "retry-after": header("RetryAfter") };
export const CHALLENGE = { "www-authenticate": header("Challenge") };
export const ETAG = { etag: header("ETag") };
export const STALE = { "x-loredex-stale": header("Stale") };
export const REPLAYED = { "idempotent-replayed": header("Replayed") };
