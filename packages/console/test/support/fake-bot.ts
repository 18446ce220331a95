import { randomBytes } from "node:crypto";
import { type FakeArticle, type FakeDocument, type Found, partsOf, passagesOf, shareOf, wordsOf } from "./library.ts";

const RATE = 15_000;

type Fields = Readonly<Record<string, unknown>>;

/** A refusal, as the service words it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

/** One bot of the fake admin server, in memory. */
export class FakeBot {
  readonly id = randomBytes(12).toString("hex");
  readonly articles = new Map<string, FakeArticle>();
  readonly documents = new Map<string, FakeDocument>();
  readonly questions: { readonly question: string; readonly bestScore: number; readonly nearest?: Found }[] = [];
  vocabulary: unknown = { synonyms: [], pins: [], ignored: [] };
  golden: { readonly question: string; readonly expected: readonly { readonly id: string }[] }[] = [];
  readonly runs: Fields[] = [];
  readonly jobs: Fields[] = [];
  findings: Fields = { neverFound: [], nearDuplicates: [], contradictions: [], weeks: [] };
  quota = 1_000_000;
  /** Settings that no route of the fake reads. */
  settings: Fields = {
    ...{ language: "en", embedder: "all-MiniLM-L6-v2", quality: "best", rateCharactersPerMinute: RATE, gapScore: 0.3 },
    ...{ quotaBytes: "auto", rateBytesPerMinute: "auto", importBytes: "none", questionLogDays: 30 },
  };
  readonly keys = new Map<string, Fields>([["default", { scope: "all", origins: [] }]]);
  readonly agents = new Map<string, boolean>();
  readonly channels = new Map<string, boolean>();
  questionLog = true;
  rateUsed = 0;
  readonly #keys = new Map<string, string>();
  #clock = Date.parse("2026-11-20T09:00:00Z");

  constructor(public name: string) {}

  get used(): number {
    return [...this.articles.values()].reduce((sum, { characterCount }) => sum + characterCount, 0);
  }

  info(): Fields {
    const figures = {
      articles: this.articles.size,
      documents: this.documents.size,
      characterUsed: this.used,
      texts: 240,
      vectors: 240,
      documentsWaiting: 0,
      indexQueue: 0,
    };
    const { id, name, questionLog } = this;
    const quotaCharacters = this.quota;
    return {
      id,
      name,
      quotaCharacters,
      ...this.settings,
      questionLog,
      figures,
    };
  }

  write(input: Fields, before: FakeArticle | undefined, key?: string, isUndo = false): FakeArticle {
    const known = key === undefined ? undefined : this.#keys.get(key);
    if (known !== undefined) return this.article(known);
    const title = String(input.title ?? before?.title ?? "");
    const body = String(input.body ?? before?.body ?? "");
    if (title.length < 3) throw new Refusal(400, 1001, "title must have at least 3 characters", "title");
    if (body === "") throw new Refusal(400, 1001, "body must have at least 1 character", "body");
    const count = [...title].length + [...body].length;
    const grown = Math.max(0, count - (before?.characterCount ?? 0));
    if (this.used + grown > this.quota)
      throw new Refusal(422, 30001, `The article exceeds the quota by ${this.used + grown - this.quota} characters.`);
    if (!isUndo) this.rateUsed += grown;
    this.#clock += 61_000;
    const now = new Date(this.#clock).toISOString();
    const source = input.source === null ? undefined : (input.source ?? before?.source);
    const article: FakeArticle = {
      id: before?.id ?? randomBytes(12).toString("hex"),
      status: "active",
      title,
      body,
      metadata: (input.metadata ?? before?.metadata ?? {}) as FakeArticle["metadata"],
      ...(source !== undefined && { source: String(source) }),
      activeOn: (input.activeOn ?? before?.activeOn ?? []) as readonly unknown[],
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
      characterCount: count,
    };
    this.articles.set(article.id, article);
    if (key !== undefined) this.#keys.set(key, article.id);
    return article;
  }

  article(id: string): FakeArticle {
    const article = this.articles.get(id);
    if (article === undefined) throw new Refusal(404, 20001, `There is no article with the id ${id}.`);
    return article;
  }

  preview({ title, body, id }: Fields): Fields {
    const text = String(body ?? "");
    const before = id === undefined ? undefined : this.article(String(id));
    if (String(title).length < 3) throw new Refusal(400, 1001, "title must have at least 3 characters", "title");
    const characterCount = [...String(title)].length + [...text].length;
    const charge = Math.max(0, characterCount - (before?.characterCount ?? 0));
    const left = this.quota - this.used - characterCount + (before?.characterCount ?? 0);
    const waitSeconds = charge > RATE ? null : this.rateUsed + charge > RATE ? 42 : 0;
    return { characterCount, charge, characterLeft: left, waitSeconds, passages: passagesOf(text) };
  }

  usage(): Fields {
    const rate = { charactersPerMinute: RATE, used: Math.min(RATE, this.rateUsed), resetSeconds: 30 };
    return { characterUsed: this.used, characterQuota: this.quota, characterLeft: this.quota - this.used, rate };
  }

  rows(parameters: URLSearchParams): { readonly rows: Fields[]; readonly total: number } {
    const search = (parameters.get("search") ?? "").toLowerCase();
    const [column = "updatedAt", direction = "desc"] = (parameters.get("sort") ?? "").split(":");
    const all: Fields[] = [
      ...[...this.articles.values()].map(({ id, status, title, source, characterCount, updatedAt }) => ({
        ...{ id, type: "EXTERNAL", status, title, url: source, characters: characterCount, updatedAt, isArticle: true },
      })),
      ...[...this.documents.values()].map(({ resourceDocId, type, status, metaData, source, content }, i) => ({
        ...{ id: resourceDocId, type, status, title: metaData.title, source, isArticle: false },
        characters: content.map(({ md }) => md).join("\n").length,
        updatedAt: new Date(Date.parse("2026-10-01T00:00:00Z") - i * 1000).toISOString(),
      })),
    ];
    const fits = (row: Fields): boolean =>
      [row.id, row.title].some((each) => String(each).toLowerCase().includes(search)) &&
      ["type", "status"].every((field) => !parameters.get(field) || row[field] === parameters.get(field));
    const compare = (a: Fields, b: Fields): number => {
      const [x, y] = [a[column] ?? "", b[column] ?? ""];
      return typeof x === "number" ? x - Number(y) : String(x) < String(y) ? -1 : 1;
    };
    const sorted = all.filter(fits).sort((a, b) => (direction === "asc" ? compare(a, b) : compare(b, a)));
    const offset = Number(parameters.get("offset") ?? 0);
    return { rows: sorted.slice(offset, offset + Number(parameters.get("limit") ?? 200)), total: sorted.length };
  }

  find(question: string): Found[] {
    const words = wordsOf(question);
    const ofArticle = [...this.articles.values()].map(({ id, title, body, metadata, source, status }) => ({
      ...{ id, type: "EXTERNAL", status, text: body },
      metaData: { ...metadata, title },
      ...(source !== undefined && { url: source }),
    }));
    const ofDocument = [...this.documents.values()].map(({ resourceDocId, content, type, status, metaData, url }) => ({
      ...{ id: resourceDocId, type, status, metaData, text: content.map(({ md }) => md).join("\n") },
      ...(url !== undefined && { url }),
    }));
    return [...ofArticle, ...ofDocument]
      .map((each) => {
        const titled = shareOf(words, String(each.metaData.title));
        const parts = partsOf(words, each.text);
        const best = Math.max(0, ...parts.map(({ similarity }) => similarity));
        return { ...each, parts, score: parts.length === 0 ? 0 : Math.min(0.97, best * 0.9 + titled * 0.1) };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  }

  /** A search by a user, which the question log keeps. */
  ask(question: string): void {
    const [nearest] = this.find(question);
    this.questions.push({ question, bestScore: nearest?.score ?? 0, ...(nearest && { nearest }) });
  }

  gaps(): Fields[] {
    const groups = new Map<string, Fields & { readonly count: number; readonly bestScore: number }>();
    for (const { question, bestScore, nearest } of this.questions) {
      if (this.find(question).some(({ score }) => score >= 0.3) || bestScore >= 0.3) continue;
      const key = [...wordsOf(question)].sort().join(" ");
      const before = groups.get(key);
      const name = before?.question ?? question;
      const others = (before?.examples as string[] | undefined) ?? [];
      const examples = (question === name ? others : [...others, question]).slice(0, 5);
      const title = nearest?.metaData.title;
      groups.set(key, {
        ...{
          question: name,
          count: (before?.count ?? 0) + 1,
          bestScore,
          examples,
          countBefore: 1,
          unhelpful: question.includes("courier") ? 1 : 0,
        },
        ...(nearest && { nearest: { id: nearest.id, title, score: nearest.score } }),
        lastAskedAt: "2026-11-28T09:00:00Z",
      });
    }
    return [...groups.values()].sort((a, b) => a.bestScore - b.bestScore || b.count - a.count);
  }

  run(vocabulary: unknown): Fields {
    const misses = this.golden.flatMap(({ question, expected }, index) => {
      const found = this.find(question);
      const rank = found.findIndex(({ id }) => id === expected[0]?.id) + 1;
      if (rank === 1) return [];
      const pinned = JSON.stringify(vocabulary ?? "").includes(question);
      if (pinned) return [];
      const outcome = rank === 0 ? "belowFloor" : "returned";
      const kind = this.known(expected[0]?.id ?? "") ? (rank === 0 ? "notFound" : "notFirst") : "unknownDocument";
      const shown = found.slice(0, 3).map(({ id, metaData, score }) => ({ id, title: metaData.title, score }));
      return [
        {
          index,
          question,
          kind,
          expected: [{ id: expected[0]?.id, outcome, score: 0.2, ...(rank && { rank }) }],
          found: shown,
        },
      ];
    });
    const ndcgAt10 = this.golden.length === 0 ? 0 : 1 - misses.length / this.golden.length;
    const at = new Date(Date.parse("2026-11-20T10:00:00Z") + this.runs.length * 86_400_000).toISOString();
    const id = `run-${this.runs.length + 1}`;
    const measures = { ndcgAt10, mrrAt10: ndcgAt10, recallAt10: Math.min(1, ndcgAt10 + 0.05) };
    const run = {
      id,
      at,
      questions: this.golden.length,
      measures,
      missed: misses.length,
      misses,
      ...(vocabulary !== undefined && { vocabulary: true }),
    };
    this.runs.push(run);
    return run;
  }

  known(id: string): boolean {
    return this.articles.has(id) || this.documents.has(id);
  }
}
