/** A retriever of LangChain.js that asks a bot over HTTP. Copy this file. */

import { Document } from "@langchain/core/documents";
import { BaseRetriever } from "@langchain/core/retrievers";

const TEXTS_DEFAULT = 4;

/**
 * What the retriever needs of a client: `LoredexClient` of `@loredex/client` has it.
 * @typedef {Pick<import("@loredex/client").LoredexClient, "search">} Searches
 */

/**
 * @typedef {object} RetrieverFields
 * @property {Searches} client asks the bot that its key opens
 * @property {number} [k] most documents to give a chain; default 4
 * @property {number} [scoreMin] from 0 to 1: what scores less is left out. Default 0
 * @property {import("@loredex/client").SearchFilter} [filters] conditions on fields of results, for example `{ "metaData.team": "billing" }`
 * @property {"none" | "passage" | "section" | "page"} [context] gives the text around each text that matches, in its place. Default `none`
 * @property {boolean} [wholeDocuments] give whole documents, and not the texts in them that match. Default false
 */

/**
 * Gives the texts that match a question, best first, each as a document with its title, its lines and where it is from.
 * @extends {BaseRetriever<Record<string, unknown> & { score: number }>}
 */
export class LoredexRetriever extends BaseRetriever {
  lc_namespace = ["loredex", "retrievers"];
  // The client has a key: private, so that nothing that is printed or traced can hold it.
  #client;
  #options;

  /** @override */
  static lc_name() {
    return "LoredexRetriever";
  }

  /** @param {RetrieverFields & import("@langchain/core/retrievers").BaseRetrieverInput} fields */
  constructor({
    client,
    k = TEXTS_DEFAULT,
    scoreMin = 0,
    filters = {},
    context = "none",
    wholeDocuments = false,
    ...fields
  }) {
    super(fields);
    this.#client = client;
    this.#options = { k, scoreMin, filters, context, wholeDocuments };
  }

  /**
   * LangChain calls it for `invoke`, `batch` and `pipe`.
   * @override
   * @param {string} question
   */
  async _getRelevantDocuments(question) {
    const { k, scoreMin, filters, context, wholeDocuments } = this.#options;
    const results = await this.#client.search(question, { topK: k, filters, context, includeContent: wholeDocuments });
    const documents = results.flatMap(wholeDocuments ? wholeOf : textsOf);
    // The best k texts are always among those of the best k documents.
    const good = documents.filter(({ metadata }) => metadata.score >= scoreMin);
    return good.sort((one, other) => other.metadata.score - one.metadata.score).slice(0, k);
  }
}

/** @typedef {import("@loredex/client").SearchResult} SearchResult */

/** @param {SearchResult} result */
function textsOf(result) {
  const parts = result.similarTextParts;
  // A part without a context has the one of a better part.
  const distinct = parts.some(({ context }) => context) ? parts.filter(({ context }) => context) : parts;
  return distinct.map((part) => {
    const { text, start, stop } = part.context ?? part;
    const id = `${result.resourceDocId}#L${start}-L${stop}`;
    const lines = { startLine: start, stopLine: stop, ...(part.context && { headings: part.context.headings }) };
    const metadata = { ...aboutOf(result), score: part.similarity, ...lines };
    return new Document({ pageContent: text, metadata, id });
  });
}

/** @param {SearchResult} result */
function wholeOf(result) {
  const pageContent = result.content.map(({ md }) => md).join("\n");
  return [
    new Document({
      pageContent,
      metadata: { ...aboutOf(result), score: result.bestMatchScore },
      id: result.resourceDocId,
    }),
  ];
}

/**
 * What is known of the document; `source` is where chains of LangChain look for what to cite.
 * @param {SearchResult} result
 */
function aboutOf({ resourceDocId, type, url, metaData }) {
  return { ...metaData, documentId: resourceDocId, documentType: type, source: url ?? resourceDocId };
}
