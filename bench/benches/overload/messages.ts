/** What the processes of the overload bench tell each other. */

/** How fast somebody asks. */
export type Pace =
  /** So many clients, each of which asks again when it has its answer, up to that number of requests in all. Default: no end. */
  | { readonly kind: "closed"; readonly clients: number; readonly requestsMax?: number }
  /** So many requests a second, whether those before are answered or not, over at most so many connections at once. */
  | { readonly kind: "open"; readonly perSecond: number; readonly connectionsMax: number };

/** Somebody who asks the same server again and again. */
export interface Stream {
  readonly name: string;
  readonly port: number;
  readonly method: "GET" | "POST" | "PUT";
  /** Taken in turns, as the bodies are. */
  readonly paths: readonly string[];
  readonly key?: string;
  readonly bodies: readonly string[];
  readonly pace: Pace;
  /** A new connection for each request. */
  readonly connectsAnew?: boolean;
}

/** What became of a stream's requests. */
export interface Outcome {
  readonly name: string;
  readonly seconds: number;
  /** With 503 or 429. */
  readonly refused: number;
  /** With another status, or cut off. */
  readonly failed: number;
  /** Not sent, since all connections were taken. */
  readonly unsent: number;
  /** Of each request that was answered with 200: when it was sent and how long it took, in milliseconds. */
  readonly answers: readonly (readonly [atMs: number, ms: number])[];
}

export type AskingMessage =
  | { readonly tell: "begin"; readonly streams: readonly Stream[] }
  /** Ends as well, once each client has sent all that it may. */
  | { readonly tell: "finish" }
  | { readonly tell: "end" };

/** What is asked of the server's process beside its port. */
export type ServedMessage =
  | { readonly tell: "fill"; readonly loudArticles: number; readonly quietArticles: number }
  | { readonly tell: "begin"; readonly importers: number }
  | { readonly tell: "end" }
  | { readonly tell: "close" };

export interface Filled {
  readonly port: number;
  readonly loudKey: string;
  readonly quietKey: string;
  readonly loudArticles: readonly string[];
}

/** The server's process at a moment. */
export interface Sample {
  readonly atMs: number;
  /** All that the process holds of the machine's memory, in bytes. */
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** The longest that its event loop stood still since the sample before, in milliseconds. */
  readonly loopMs: number;
}

/** How the server's process was between "begin" and "end". */
export interface Served {
  readonly samples: readonly Sample[];
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
  /** Processor time of all its threads, as a share of the time that passed. */
  readonly processorShare: number;
  /** Documents that were imported: when each began and how long it took, in milliseconds. */
  readonly imports: readonly (readonly [atMs: number, ms: number])[];
}
