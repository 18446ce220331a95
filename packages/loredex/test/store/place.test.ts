import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withoutPasswords } from "../../src/configuration/place.ts";
import { run, runIn } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const URL_OF_NOBODY = "postgres://nobody@127.0.0.1:1/none";

it("a directory and a database contradict each other, and the error says which to drop", async () => {
  expect(await run("bot", "list", "--data", "./d", "--store", URL_OF_NOBODY)).toMatchObject({
    code: 2,
    err: expect.stringContaining("drop --data to use the database, or --store to use the directory"),
  });
  const both = { LOREDEX_DATA: "./d", LOREDEX_STORE: URL_OF_NOBODY };
  expect(await runIn(both, "bot", "list")).toMatchObject({
    code: 2,
    err: expect.stringContaining("drop LOREDEX_DATA to use the database, or LOREDEX_STORE"),
  });
  const file = join(await temporaryDirectory(), "settings.json");
  await writeFile(file, JSON.stringify({ data: "./d", store: URL_OF_NOBODY }));
  expect(await run("bot", "list", "--config", file)).toMatchObject({
    code: 2,
    err: expect.stringContaining('drop "data" in '),
  });
});

it("the command line overrules the environment, and the environment the file", async () => {
  const folder = await temporaryDirectory();
  const data = join(folder, "data");
  const store = { LOREDEX_STORE: URL_OF_NOBODY };
  expect(await runIn(store, "bot", "create", "a", "--embedder", "none", "--data", data)).toMatchObject({ code: 0 });
  const file = join(folder, "settings.json");
  await writeFile(file, JSON.stringify({ data }));
  expect(await runIn(store, "bot", "list", "--config", file)).toMatchObject({
    code: 1,
    err: expect.stringContaining("PostgreSQL does not answer"),
  });
  await writeFile(file, JSON.stringify({ store: URL_OF_NOBODY }));
  expect(await runIn({ LOREDEX_DATA: data }, "bot", "list", "--config", file)).toMatchObject({ code: 0 });
});

it("an address that is none is refused without being shown", async () => {
  for (const url of ["postgres://me:sec/ret@db/loredex", "mysql://me:secret@db/loredex", "secret"]) {
    const { code, err } = await runIn({ LOREDEX_STORE: url }, "bot", "list");
    expect(code).toBe(2);
    expect(err).toContain("postgres://USER@HOST:PORT/DATABASE");
    expect(err).not.toMatch(/sec(\/)?ret/);
    expect((await runIn({ LOREDEX_STORE: url }, "config")).out).not.toMatch(/sec\/ret|me:secret/);
  }
});

it("store migrate and copy say what they need", async () => {
  expect(await run("store", "migrate")).toMatchObject({ code: 2, err: expect.stringContaining("--store URL") });
  expect(await run("copy", "--from", "a")).toMatchObject({ code: 2, err: expect.stringContaining("--to") });
  expect(await run("copy", "--from", "a", "--to", "a")).toMatchObject({
    code: 2,
    err: expect.stringContaining("the same"),
  });
  expect(await run("copy", "--from", "a", "--to", "b", "--data", "c")).toMatchObject({ code: 2 });
  expect(await run("copy", "--from", "./missing", "--to", "b")).toMatchObject({
    code: 1,
    err: expect.stringContaining("There is no data directory ./missing"),
  });
});

it("passwords are taken out of texts as they are written and as they are meant", () => {
  const text = "no user of p%40ss, nor of p@ss";
  expect(withoutPasswords(text, ["postgres://me:p%40ss@db/x"])).toBe("no user of ********, nor of ********");
  expect(withoutPasswords(text, ["postgres://me@db/x?password=p%40ss", undefined, 7])).toBe(
    "no user of p%40ss, nor of ********",
  );
});
