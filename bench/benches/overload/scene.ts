import { setTimeout as wait } from "node:timers/promises";
import { InventedText } from "../../corpora/invented-text.ts";
import { Child, dividedCores } from "./child.ts";
import type { AskingMessage, Filled, Outcome, Pace, Served, ServedMessage, Stream } from "./messages.ts";

/** Whose load it is: questions of 4 KB with all content of 100 documents, changes of articles of 8 KB, documents of 300 KB that are imported. */
export const LOADS = ["searches", "writers", "importers"] as const;
export type Load = (typeof LOADS)[number];

/** What was measured beside a load. */
export interface Measured {
  readonly served: Served;
  readonly loud: Outcome;
  readonly quiet: Outcome;
  readonly health: Outcome;
  readonly ready: Outcome;
}

const SEARCH = "/api/v1/knowledge/search";
const QUESTION_CHARACTERS_MAX = 4_096;
const ARTICLE_WORDS = 1_300;
const BODIES = 50;
/** Of the quiet bot's questions, and of each probe, a second. */
const PROBES_PER_SECOND = 50;
const PROBES_AT_ONCE_MAX = 64;
/** So many clients that each wait for their answer keep the server busy, and no more. */
const CAPACITY_CLIENTS = 16;
/** Above what may wait and be worked on for one key, so that refusals are seen as well. */
const CONNECTIONS_MAX = 400;

/** A server with its bots, the loud bot's clients, and those who ask beside them: three processes. */
export class Scene {
  readonly #server: Child<ServedMessage>;
  readonly #loud: Child<AskingMessage>;
  readonly #beside: Child<AskingMessage>;
  readonly #text = new InventedText(11);
  readonly #filled: Filled;

  private constructor(
    server: Child<ServedMessage>,
    loud: Child<AskingMessage>,
    beside: Child<AskingMessage>,
    filled: Filled,
  ) {
    this.#server = server;
    this.#loud = loud;
    this.#beside = beside;
    this.#filled = filled;
  }

  static async open(short: boolean): Promise<Scene> {
    const cores = dividedCores();
    const server = new Child<ServedMessage>("./served.ts", cores.server);
    const loud = new Child<AskingMessage>("./asking.ts", cores.clients);
    const beside = new Child<AskingMessage>("./asking.ts", cores.clients);
    const sizes = short ? { loudArticles: 100, quietArticles: 20 } : { loudArticles: 8_000, quietArticles: 200 };
    const filled = await server.ask<Filled>({ tell: "fill", ...sizes });
    return new Scene(server, loud, beside, filled);
  }

  async close(): Promise<void> {
    await this.#server.ask({ tell: "close" });
    await Promise.all([this.#server.end(), this.#loud.end(), this.#beside.end()]);
  }

  /** Requests, or documents, a second that the loud bot gets done where nobody else wants anything. */
  async capacity(load: Load, seconds: number): Promise<number> {
    if (load === "importers") {
      await this.#server.ask({ tell: "begin", importers: 1 });
      await wait(seconds * 1_000);
      return (await this.#server.ask<Served>({ tell: "end" })).imports.length / seconds;
    }
    const [outcome] = await this.#asked(
      this.#loud,
      [this.#loudStream(load, { kind: "closed", clients: CAPACITY_CLIENTS })],
      seconds,
    );
    return (outcome?.answers.length ?? 0) / (outcome?.seconds ?? 1);
  }

  /** The loud bot at `times` its capacity, or with nothing to do (0). */
  async beside(load: Load, times: number, capacity: number, seconds: number): Promise<Measured> {
    const isImport = load === "importers";
    await this.#server.ask({ tell: "begin", importers: isImport ? times : 0 });
    const pace: Pace = { kind: "open", perSecond: capacity * times, connectionsMax: CONNECTIONS_MAX };
    const streams = isImport || times === 0 ? [] : [this.#loudStream(load, pace)];
    const [[loud], [quiet, health, ready]] = await Promise.all([
      this.#asked(this.#loud, streams, seconds),
      this.#asked(this.#beside, this.#besideStreams(), seconds),
    ]);
    const served = await this.#server.ask<Served>({ tell: "end" });
    const none: Outcome = { name: "none", seconds, refused: 0, failed: 0, unsent: 0, answers: served.imports };
    return { served, loud: loud ?? none, quiet: quiet ?? none, health: health ?? none, ready: ready ?? none };
  }

  /** Has the quiet bot asked by one client, one request after the other, while nobody else wants anything. */
  async askAlone(requests: number): Promise<void> {
    const [quiet] = this.#besideStreams();
    if (quiet === undefined) return;
    const pace: Pace = { kind: "closed", clients: 1, requestsMax: requests };
    await this.#beside.ask({ tell: "begin", streams: [{ ...quiet, pace }] });
    await this.#beside.ask({ tell: "finish" });
  }

  async #asked(child: Child<AskingMessage>, streams: readonly Stream[], seconds: number): Promise<readonly Outcome[]> {
    await child.ask({ tell: "begin", streams });
    await wait(seconds * 1_000);
    return child.ask({ tell: "end" });
  }

  #loudStream(load: Load, pace: Pace): Stream {
    const { port, loudKey, loudArticles } = this.#filled;
    const common = { name: load, port, key: loudKey, pace };
    if (load === "searches") {
      const options = { topK: 100, includeContent: true };
      const bodies = this.#bodies(() => ({ query: this.#text.words(700).slice(0, QUESTION_CHARACTERS_MAX), options }));
      return { ...common, method: "POST", paths: [SEARCH], bodies };
    }
    // No number of bodies divides that of the articles: an article gets another text each time.
    const paths = loudArticles.slice(0, BODIES - 1).map((id) => `/api/v1/knowledge/${id}`);
    return { ...common, method: "PUT", paths, bodies: this.#bodies(() => ({ body: this.#text.words(ARTICLE_WORDS) })) };
  }

  #besideStreams(): readonly Stream[] {
    const { port, quietKey } = this.#filled;
    const pace: Pace = { kind: "open", perSecond: PROBES_PER_SECOND, connectionsMax: PROBES_AT_ONCE_MAX };
    const probe = { port, method: "GET", bodies: [""], pace } as const;
    const bodies = this.#bodies(() => ({ query: this.#text.words(4) }));
    return [
      { name: "quiet", port, method: "POST", paths: [SEARCH], key: quietKey, bodies, pace },
      // As orchestrators ask, who connect anew each time, and as load balancers do, who don't.
      { ...probe, name: "health", paths: ["/health"], connectsAnew: true },
      { ...probe, name: "ready", paths: ["/ready"] },
    ];
  }

  #bodies(one: () => object): readonly string[] {
    return Array.from({ length: BODIES }, () => JSON.stringify(one()));
  }
}
