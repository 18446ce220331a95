import type { IncomingHttpHeaders } from "node:http";

export interface FakeRequest {
  readonly method: string;
  readonly path: readonly string[];
  readonly parameters: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface FakeAnswer {
  readonly data: unknown;
  readonly status?: number;
  readonly etag?: string;
  readonly total?: number;
  readonly next?: number | undefined;
  /** Instead of JSON. */
  readonly bytes?: Buffer;
}
