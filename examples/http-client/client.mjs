/**
 * A client for the Loredex HTTP API in one file, with nothing but `fetch`. Copy it into your project.
 */

import { setTimeout as pause } from "node:timers/promises";

/** @typedef {Record<string, string | number | boolean>} Metadata */
/** @typedef {{ agent?: string, channel: string }} ActiveOn */
/**
 * @typedef {object} Article
 * @property {string} id
 * @property {"uploading" | "active"} status `uploading` until the newest version can be found
 * @property {string} title
 * @property {string} body markdown, exactly as it was sent
 * @property {Metadata} metadata
 * @property {string} [source]
 * @property {ActiveOn[]} activeOn
 * @property {string} createdAt ISO 8601, UTC
 * @property {string} updatedAt ISO 8601, UTC
 * @property {number} characterCount what it counts against the quota
 */
/** @typedef {{ title: string, body: string, metadata?: Metadata, source?: string, activeOn?: ActiveOn[], strict?: boolean }} NewArticle */
/** @typedef {{ title?: string, body?: string, metadata?: Metadata | null, source?: string | null, activeOn?: ActiveOn[] | null }} ArticleChanges */
/** @typedef {{ message: string, data: Article, characterUsed: number }} WriteAnswer */
/** @typedef {{ text: string, similarity: number, start: number, stop: number }} TextPart lines are 1-based, inclusive */
/**
 * @typedef {object} SearchResult
 * @property {string} resourceDocId
 * @property {string} type
 * @property {string} status
 * @property {Record<string, unknown>} metaData
 * @property {string} [url]
 * @property {number} bestMatchScore
 * @property {TextPart[]} similarTextParts
 * @property {{ md: string }[]} content empty unless `includeContent` was asked for
 */
/** @typedef {{ filters?: Record<string, string | number | boolean>, topK?: number, includeFaqs?: boolean, includeContent?: boolean, onlyActiveIntents?: boolean }} SearchOptions */
/** @typedef {{ message: string, field: string, type: string }} Violation */

/** An answer other than 200: what the service said, in its own words. */
export class ApiError extends Error {
  /** @override */
  name = "ApiError";

  /**
   * @param {object} answer
   * @param {number} answer.status the HTTP status
   * @param {string} answer.message
   * @param {number} [answer.code] the stable code; a 429 has none
   * @param {Violation[]} [answer.violations] every broken rule, for a 400
   * @param {number} [answer.retryAfterSeconds] when the same request would be admitted; absent if waiting does not help
   */
  constructor({ status, message, code, violations = [], retryAfterSeconds }) {
    super(message);
    this.status = status;
    this.code = code;
    this.violations = violations;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether the same request can succeed later, and the service has said when. */
  get worthWaiting() {
    return (this.status === 429 || this.status === 503) && this.retryAfterSeconds !== undefined;
  }

  /** Status, code and message; where rules are broken, one line for each, since the message is all of them in a row. */
  describe() {
    const code = this.code === undefined ? "" : `, code ${this.code}`;
    const rules = this.violations.map(({ field, type, message }) => `\n  ${field} (${type}): ${message}`);
    return `${this.status}${code}:${rules.length === 0 ? ` ${this.message}` : rules.join("")}`;
  }
}

export class LoredexClient {
  #baseUrl;
  #key;
  #onWait;
  #attemptsMax;
  #sleep;

  /**
   * @param {object} options
   * @param {string} options.baseUrl for example `http://127.0.0.1:8080`
   * @param {string} options.key the bot's API key
   * @param {(seconds: number, error: ApiError) => void} [options.onWait] told before every wait
   * @param {number} [options.attemptsMax] how often one request is sent in all; default 10
   * @param {(ms: number) => Promise<unknown>} [options.sleep] how to wait; tests put their own
   */
  constructor({ baseUrl, key, onWait = () => {}, attemptsMax = 10, sleep = pause }) {
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#key = key;
    this.#onWait = onWait;
    this.#attemptsMax = attemptsMax;
    this.#sleep = sleep;
  }

  /**
   * @param {string} query
   * @param {SearchOptions} [options]
   * @returns {Promise<SearchResult[]>} best first
   */
  search(query, { filters = {}, ...options } = {}) {
    return this.#request("POST", "/knowledge/search", { query, filters, options });
  }

  /**
   * @param {NewArticle} article
   * @returns {Promise<WriteAnswer>}
   */
  createArticle(article) {
    return this.#request("POST", "/knowledge", article);
  }

  /**
   * @param {{ id?: string, title?: string }} [filter] exact matches; both given: both must match
   * @returns {Promise<Article[]>} oldest first
   */
  async listArticles(filter = {}) {
    const parameters = new URLSearchParams(filter).toString();
    /** @type {{ data: Article[] }} */
    const answer = await this.#request("GET", `/knowledge${parameters === "" ? "" : `?${parameters}`}`);
    return answer.data;
  }

  /**
   * @param {string} id
   * @param {ArticleChanges} changes
   * @returns {Promise<WriteAnswer>}
   */
  updateArticle(id, changes) {
    return this.#request("PUT", `/knowledge/${encodeURIComponent(id)}`, changes);
  }

  /**
   * @param {string} id
   * @returns {Promise<{ message: string }>}
   */
  deleteArticle(id) {
    return this.#request("DELETE", `/knowledge/${encodeURIComponent(id)}`);
  }

  /**
   * Waits until the newest version of an article can be found.
   * @param {string} id
   * @param {{ timeoutMs?: number }} [options] default 30 seconds
   * @returns {Promise<Article>}
   */
  async waitUntilActive(id, { timeoutMs = 30_000 } = {}) {
    let waitedMs = 0;
    for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, 1_000)) {
      const [article] = await this.listArticles({ id });
      if (article === undefined) throw new Error(`There is no article ${id} (any more).`);
      if (article.status === "active") return article;
      if (waitedMs >= timeoutMs) throw new Error(`Article ${id} is still not active after ${timeoutMs / 1000} s.`);
      await this.#sleep(pauseMs);
      waitedMs += pauseMs;
    }
  }

  /**
   * Sends one request. Where the service says when to come back, waits exactly that long and sends it again.
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   */
  async #request(method, path, body) {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(`${this.#baseUrl}/api/v1${path}`, {
        method,
        headers: { "x-api-key": this.#key, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
        // The service never redirects, and the key is for no other address.
        redirect: "error",
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      if (response.ok) return JSON.parse(text);
      const error = readError(response, text);
      const { retryAfterSeconds = 0 } = error;
      if (!error.worthWaiting || attempt >= this.#attemptsMax) throw error;
      this.#onWait(retryAfterSeconds, error);
      await this.#sleep(retryAfterSeconds * 1000);
    }
  }
}

/**
 * The three shapes of an error: a 400 lists broken rules, a 429 is plain text, all others hold `error`.
 * @param {Response} response
 * @param {string} text
 */
function readError(response, text) {
  const { status, headers } = response;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const retry = Number.isNaN(seconds) ? {} : { retryAfterSeconds: seconds };
  if (!headers.get("content-type")?.includes("json")) {
    return new ApiError({ status, message: text || response.statusText, ...retry });
  }
  const answer = JSON.parse(text);
  if (status === 400) {
    return new ApiError({ status, message: answer.message, code: answer.code, violations: answer.data?.result });
  }
  return new ApiError({ status, message: answer.error?.message ?? text, code: answer.error?.code, ...retry });
}

/**
 * One line for a person about anything that a request can throw.
 * @param {unknown} error
 */
export function explain(error) {
  if (error instanceof ApiError) return error.describe();
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  // "fetch failed" alone helps nobody: its cause says what failed, at times only by a code.
  return `${error.message} (${cause.message || ("code" in cause ? cause.code : cause.name)})`;
}
