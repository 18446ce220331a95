/** What the admin API answers, as far as the page shows it. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface Session {
  readonly name: string;
  readonly scope: "write" | "read";
  readonly bots?: readonly string[];
  readonly csrfToken: string;
  readonly expiresAt: string;
}

export interface BotFigures {
  readonly articles: number;
  readonly documents: number;
  readonly characterUsed: number;
  readonly texts: number;
  readonly vectors: number;
  readonly documentsWaiting: number;
  readonly indexQueue: number;
  readonly lastWriteAt?: string;
}

export interface Bot {
  readonly id: string;
  readonly name: string;
  readonly quotaCharacters: number;
  readonly language: string;
  readonly embedder: string;
  readonly questionLog?: boolean;
  readonly questionLogDays?: number;
  readonly gapScore?: number;
  readonly fault?: { readonly kind: string; readonly message: string };
  readonly figures?: BotFigures;
  readonly advice?: readonly { readonly story: string }[];
}

export interface TextPart {
  readonly text: string;
  readonly similarity: number;
  readonly start: number;
  readonly stop: number;
}

export interface ContentBlock {
  readonly md: string;
}

export interface SearchResult {
  readonly resourceDocId: string;
  readonly type: string;
  readonly status: string;
  readonly metaData: { readonly [key: string]: Json };
  readonly url?: string;
  readonly bestMatchScore: number;
  readonly similarTextParts: readonly TextPart[];
}

/** An imported document, or an article in the form of a result. */
export interface KnownDocument {
  readonly resourceDocId: string;
  readonly type: string;
  readonly status: string;
  readonly metaData: { readonly [key: string]: Json };
  readonly url?: string;
  readonly content?: readonly ContentBlock[];
  readonly question?: string;
  readonly answer?: string;
  readonly alternatives?: readonly string[];
}

export interface DocumentRow {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly title?: string;
  readonly url?: string;
  readonly source?: string;
  readonly characters: number;
  readonly updatedAt?: string;
  readonly isArticle: boolean;
}

export interface ActiveOn {
  readonly agent?: string;
  readonly channel: string;
}

export type Metadata = Readonly<Record<string, string | number | boolean>>;

export interface Article {
  readonly id: string;
  readonly status: string;
  readonly title: string;
  readonly body: string;
  readonly metadata: Metadata;
  readonly source?: string;
  readonly activeOn: readonly ActiveOn[];
  readonly updatedAt: string;
}

/** What is typed into an editor. */
export interface Draft {
  readonly title: string;
  readonly body: string;
  readonly address: string;
  readonly metadata: string;
}

export interface Preview {
  readonly characterCount: number;
  readonly charge: number;
  readonly characterLeft: number;
  readonly waitSeconds: number | null;
  readonly passages: readonly { readonly start: number; readonly stop: number; readonly text: string }[];
}

export interface Usage {
  readonly characterUsed: number;
  readonly characterQuota: number;
  readonly characterLeft: number;
  readonly rate: { readonly charactersPerMinute: number; readonly used: number; readonly resetSeconds: number };
}

export interface Vocabulary {
  readonly synonyms: readonly string[];
  readonly pins: readonly { readonly question: string; readonly document: string }[];
  readonly ignored: readonly string[];
}

export interface Source {
  readonly name: string;
  readonly documents: number;
  readonly arguments: readonly {
    readonly name: string;
    readonly path: string;
    readonly importedAt?: string;
    readonly report?: { readonly failed: number };
  }[];
}

export interface FileReport {
  readonly file: string;
  readonly imported: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly problems: readonly { readonly line?: number; readonly message: string }[];
}

export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly state: "running" | "done" | "failed";
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
  /** Of a run: its id. */
  readonly report?: readonly FileReport[] | string;
}

export type Lines = number | readonly [number, number] | readonly (readonly [number, number])[];

export interface GoldenAnswer {
  readonly id: string;
  readonly lines?: Lines;
  readonly gain?: number;
}

export interface Golden {
  readonly question: string;
  readonly id?: string;
  readonly lines?: Lines;
  readonly gain?: number;
  readonly expected?: string | GoldenAnswer | readonly (string | GoldenAnswer)[];
}

export interface Measures {
  readonly ndcgAt10: number;
  readonly mrrAt10: number;
  readonly recallAt10: number;
}

export interface RunSummary {
  readonly id: string;
  readonly at: string;
  readonly questions: number;
  readonly missed: number;
  readonly measures: Measures;
  readonly quality?: string;
  readonly vocabulary?: boolean;
}

export interface Miss {
  readonly index: number;
  readonly question: string;
  readonly kind: string;
  readonly expected: readonly {
    readonly id: string;
    readonly outcome: string;
    readonly rank?: number;
  }[];
  readonly found: readonly { readonly id: string; readonly title?: string; readonly score: number }[];
}

export interface Run extends RunSummary {
  readonly misses: readonly Miss[];
}

export interface Gap {
  readonly question: string;
  readonly count: number;
  readonly bestScore: number;
  readonly examples: readonly string[];
  readonly nearest?: { readonly id: string; readonly title?: string; readonly score: number };
  readonly lastAskedAt?: string;
  readonly countBefore?: number;
}

export interface Findings {
  readonly neverFound: readonly { readonly id: string; readonly title?: string }[];
  readonly nearDuplicates: readonly {
    readonly ids: readonly string[];
    readonly titles: readonly (string | undefined)[];
    readonly similarity: number;
  }[];
  readonly contradictions: readonly {
    readonly ids: readonly string[];
    readonly titles: readonly (string | undefined)[];
    /** The two lines as they stand. */
    readonly lines: readonly string[];
    readonly reason: string;
  }[];
  readonly weeks: readonly Week[];
}

export interface Week {
  readonly week: string;
  readonly questions: number;
  readonly gaps: number;
  readonly helpful: number;
  readonly unhelpful: number;
}

export interface Alert {
  readonly name: string;
  readonly severity: string;
  readonly meaning: string;
  readonly bots?: readonly string[];
}

export interface Status {
  readonly version: string;
  readonly alerts: readonly Alert[];
}

/** A bot in the event `fleet`. */
export interface LiveBot {
  readonly id: string;
  readonly name: string;
  readonly questions?: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
  readonly writes?: number;
  readonly figures?: BotFigures;
}
