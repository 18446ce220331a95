/** Databases of their own for tests, on the server that the tests of the storage start. */

import { serverOfFile, sql } from "../../../postgres/test/support/server.ts";

export { postgresPart, sql } from "../../../postgres/test/support/server.ts";

/** Returns a function that makes an empty database, and resolves with its address. */
export function newDatabases(): () => Promise<string> {
  const server = serverOfFile();
  return async () => {
    const name = server.newSchema();
    await sql(server.url(), `create database ${name}`);
    const url = new URL(server.url());
    url.pathname = `/${name}`;
    return url.href;
  };
}
