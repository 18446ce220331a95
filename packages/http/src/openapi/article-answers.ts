import { ref } from "./reference.ts";

// The schemas of the answers with articles.
const count = { type: "integer", minimum: 0 };

export const ArticleWritten = {
  type: "object",
  required: ["success", "message", "data", "characterUsed"],
  properties: {
    success: { const: true },
    message: { type: "string" },
    data: ref("Article"),
    characterUsed: { ...count, description: "Characters of all articles of the bot, right after this write." },
  },
  additionalProperties: false,
};

export const ArticleList = {
  type: "object",
  required: ["success", "data"],
  properties: {
    success: { const: true },
    data: { type: "array", items: ref("Article") },
    next: { type: "string", description: "What after is for the next page; absent on the last one." },
  },
  additionalProperties: false,
};

export const ArticleFound = {
  type: "object",
  required: ["success", "data"],
  properties: { success: { const: true }, data: ref("Article") },
  additionalProperties: false,
};

export const ArticleDeleted = {
  type: "object",
  required: ["success", "message"],
  properties: { success: { const: true }, message: { type: "string" } },
  additionalProperties: false,
};
