import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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

it("copy advises its own options for a mistyped one, and names them for those that it does not take", async () => {
  const refused = async (...argv: string[]) => {
    const { code, err } = await run("copy", ...argv);
    expect(code).toBe(2);
    return err;
  };
  expect(await refused("--form", "a", "--to", "b")).toContain("there is no option --form; did you mean --from?");
  for (const mistyped of ["--dat", "--dta", "--stor", "--strore"]) {
    expect(await refused(mistyped, "a", "--to", "b")).not.toMatch(/--(data|store)(?!-)\b/);
  }
  for (const foreign of ["--data", "--store"]) {
    const instead = "copy takes --from and --to instead of --data and --store";
    expect(await refused("--from", "a", "--to", "b", foreign, "c")).toContain(instead);
  }
  const { err } = await run("copy", "--from", "./missing", "--to", "b");
  expect(err).toContain("Name one with --from DIR");
  expect((await run("help", "copy")).out).not.toMatch(/^ +--(data|store) /m);
});

describe("options of a database", () => {
  const DROP = (what: string) => `has an effect only with a database: name one with --store URL, or drop ${what}\n`;

  it.each([
    ["serve", "--max-staleness", "100ms"],
    ["serve", "--stale-max", "30s"],
    ["serve", "--cache", "./copies"],
    ["serve", "--cache-bytes", "64m"],
    ["serve", "--store-timeout", "5s"],
    ["bot list", "--store-connections", "5"],
    ["bot list", "--store-password-file", "./password"],
    ["bot list", "--no-migrate"],
  ])("are refused for a directory: %s %s", async (words, ...option) => {
    const [flag = ""] = option;
    for (const place of [[], ["--data", "./d"]]) {
      const { code, err } = await run(...words.split(" "), ...option, ...place);
      expect([code, err]).toEqual([2, expect.stringContaining(`${flag} ${DROP(flag)}`)]);
    }
  });

  it("are refused as settings too, unless a directory is named that overrules them", async () => {
    const folder = await temporaryDirectory();
    const data = join(folder, "data");
    const file = join(folder, "settings.json");
    await run("bot", "create", "a", "--embedder", "none", "--data", data);
    const list = (environment: Readonly<Record<string, string>>, ...argv: string[]) =>
      runIn(environment, "bot", "list", ...argv);
    const variable = { LOREDEX_STORE_TIMEOUT: "5s" };
    const ofVariable = {
      code: 2,
      err: expect.stringContaining(`LOREDEX_STORE_TIMEOUT ${DROP("LOREDEX_STORE_TIMEOUT")}`),
    };
    expect(await list(variable)).toMatchObject(ofVariable);
    expect(await list({ ...variable, LOREDEX_DATA: data })).toMatchObject(ofVariable);
    expect(await list(variable, "--data", data)).toMatchObject({ code: 0 });
    await writeFile(file, JSON.stringify({ storeTimeout: "5s" }));
    expect(await list({}, "--config", file)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`"storeTimeout" in ${file} ${DROP('"storeTimeout"')}`),
    });
    expect(await list({ LOREDEX_DATA: data }, "--config", file)).toMatchObject({ code: 0 });
    await writeFile(file, JSON.stringify({ storeTimeout: "5s", store: URL_OF_NOBODY, staleMax: "9s" }));
    expect(await list({}, "--config", file, "--data", data)).toMatchObject({ code: 0 });
    // What another command has is none of its business, and a switch that is off is none.
    expect(await list({ LOREDEX_STALE_MAX: "9s", LOREDEX_NO_MIGRATE: "false", LOREDEX_DATA: data })).toMatchObject({
      code: 0,
    });
  });

  it("are refused for a copy between directories, and need each other", async () => {
    expect(await run("copy", "--from", "a", "--to", "b", "--store-timeout", "5s")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--store-timeout has an effect only with a database: name one with --from or --to"),
    });
    expect(await run("serve", "--store", URL_OF_NOBODY, "--cache-bytes", "64m")).toMatchObject({
      code: 2,
      err: expect.stringContaining("give --cache too"),
    });
  });
});

it("passwords are taken out of texts as they are written and as they are meant", () => {
  const text = "no user of p%40ss, nor of p@ss";
  expect(withoutPasswords(text, ["postgres://me:p%40ss@db/x"])).toBe("no user of ********, nor of ********");
  expect(withoutPasswords(text, ["postgres://me@db/x?password=p%40ss", undefined, 7])).toBe(
    "no user of p%40ss, nor of ********",
  );
});
