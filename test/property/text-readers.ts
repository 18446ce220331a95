/** Every way by which a user's text comes in, with all that is done to it before it is searched and when it is asked for. */

import { analyzerOf } from "../../packages/core/src/analysis/languages.ts";
import { parseArticle } from "../../packages/core/src/articles/shape.ts";
import { openStatic } from "../../packages/core/src/embedding/static-embedder.ts";
import { cutDocument, embeddedTexts } from "../../packages/core/src/index/embedded-texts.ts";
import { SearchIndex } from "../../packages/core/src/index/search-index.ts";
import { ValidationError } from "../../packages/core/src/model/errors.ts";
import type { SearchableDocument } from "../../packages/core/src/model/types.ts";
import { finished, UNCOUNTED } from "../../packages/core/src/scheduling/time-slices.ts";
import { droppedBy } from "../../packages/core/src/search/filters/allowed-documents.ts";
import { analyzeQuery } from "../../packages/core/src/search/parsed-query.ts";
import { parseSearchRequest } from "../../packages/core/src/search/request.ts";
import { readShipped } from "../../packages/core/test/embedding/english-static.ts";
import { answer } from "../../packages/core/test/support/answer.ts";
import { queryParameters } from "../../packages/http/src/request-target.ts";
import { FrontMatterError } from "../../packages/import/src/convert/markdown/front-matter.ts";
import { markdownPage } from "../../packages/import/src/convert/markdown/markdown-file.ts";

const english = await analyzerOf("en");
const any = await analyzerOf("multi");
/** One for each way of writing. */
const analyzers = await Promise.all(["de", "tr", "fa", "hi", "ja"].map(analyzerOf));
if (english === undefined || any === undefined) throw new Error("A language is missing.");
const staticEmbedder = await openStatic(readShipped);

export const READERS: Readonly<Record<string, (text: string) => void>> = {
  body: (text) => {
    const document = documentOf({ content: [{ md: text }] });
    const cut = cutDocument(document);
    new SearchIndex(english).replace(document, 1, cut);
    for (const embedded of embeddedTexts(cut)) staticEmbedder.embed(embedded);
  },
  title: (text) => {
    const titles = [text];
    new SearchIndex(any).replace(documentOf({ titles, content: [{ md: "# Short\n\nA text." }] }), 1);
    new SearchIndex(english).replace(documentOf({ type: "QNA", titles, content: [{ md: "A text." }] }), 1);
  },
  fields: (text) => {
    const article = { title: "A title", body: "A body", source: text, metadata: { [text]: text } };
    attempt(() => parseArticle({ ...article, title: text, body: text }, { agent: () => true, channel: () => true }));
    attempt(() => queryParameters(text));
  },
  question: (text) => {
    answer(known, parseSearchRequest({ query: "refund" }), analyzeQuery(text, english));
    staticEmbedder.embed(text);
  },
  words: (text) => {
    for (const analyzer of analyzers) analyzer?.terms(text);
    if (analyzers[0] !== undefined) analyzeQuery(text, analyzers[0]).weigh(known.lexical);
  },
  filters: (text) => {
    const operators = { contains: text, startsWith: text, in: [text], gte: text };
    const filters = { [`metaData.${text}`]: text, url: text, or: [{ [`metaData.${text}`]: operators }] };
    attempt(() => {
      const request = parseSearchRequest({ query: "refund", filters });
      const document = documentOf({ url: text, metaData: { [text]: text, a: { [text]: [text] } } });
      finished(droppedBy(request, document, UNCOUNTED));
    });
  },
  file: (text) => attempt(() => markdownPage(text, { name: "a.md" })),
  "front matter": (text) => attempt(() => markdownPage(`---\n${text}\n---\nBody`, { name: "a.md" })),
};

const known = new SearchIndex(english);
known.replace(documentOf({ titles: ["Refunds"], content: [{ md: "A refund is paid within days." }] }), 1);

function documentOf(fields: Partial<SearchableDocument>): SearchableDocument {
  return { id: "a", type: "DOCUMENT", status: "active", metaData: {}, titles: [], content: [], ...fields };
}

/** What is refused has been read as well. */
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof FrontMatterError || error instanceof ValidationError)) throw error;
  }
}
