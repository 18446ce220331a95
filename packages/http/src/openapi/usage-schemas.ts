import { DOCUMENT_TYPES } from "@loredex/core";

// The schema of the answer of `GET /api/v1/usage`.

const count = { type: "integer", minimum: 0 };

const figures = (properties: Readonly<Record<string, object>>) => ({
  type: "object",
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
});

export const UsageAnswered = figures({
  success: { const: true },
  data: figures({
    characterUsed: { ...count, description: "Characters of all articles." },
    characterQuota: { ...count, description: "Most characters of all articles together." },
    characterLeft: {
      type: "integer",
      description:
        "characterQuota without characterUsed. Below 0 after the operator has lowered the quota below what is used.",
    },
    bytes: figures({
      used: {
        ...count,
        description: "Bytes of all articles: titles, bodies, sources, metadata and activeOn, and 100 for each article.",
      },
      max: { ...count, description: "Most bytes of all articles together." },
    }),
    rate: figures({
      charactersPerMinute: { ...count, description: "Most characters that writes may add in any 60 seconds." },
      used: {
        ...count,
        description: "Characters that writes added in the last 60 seconds. A delete gives none of them back.",
      },
      resetSeconds: {
        ...count,
        maximum: 60,
        description:
          "Whole seconds until used is 0, if nothing is added. Parts of it are free earlier: Retry-After of a 429 says when one write is admitted.",
      },
    }),
    documents: {
      ...figures(Object.fromEntries(DOCUMENT_TYPES.map((type) => [type, count]))),
      description: "Documents by type. The articles are EXTERNAL.",
    },
    embedder: {
      anyOf: [
        figures({
          name: { type: "string" },
          waiting: { ...count, description: "Documents that lack its vectors, and will get them." },
        }),
        { type: "null" },
      ],
      description: "The bot's embedder; null for a bot that finds by words alone.",
    },
  }),
});
