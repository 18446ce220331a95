import { importSources, syncSources } from "@loredex/import";
import { describe, expect, it } from "vitest";
import { openForImport } from "../support/import-kit.ts";

describe("a path that was a file and is a folder now, or the other way", () => {
  it.each([
    { given: {}, file: "file:kb", ids: "file:kb/" },
    { given: { source: "s" }, file: "file:s/kb", ids: "file:s/" },
  ])("brings what is there now, with its ids, and what was there goes: $ids", async ({ given, file, ids }) => {
    const kit = await openForImport();
    await kit.write({ kb: "A text" });
    await kit.import(["kb"], given);
    expect(await kit.texts()).toEqual({ [file]: "A text" });
    await kit.remove("kb");
    await kit.write({ "kb/a.md": "A", "kb/b.md": "B" });
    expect(await kit.import(["kb"], { ...given, sync: true })).toMatchObject({ added: 2, removed: 1, failed: 0 });
    expect(await kit.texts()).toEqual({ [`${ids}a.md`]: "A", [`${ids}b.md`]: "B" });
    expect(await syncSources(kit.bot)).toMatchObject([{ report: { unchanged: 2, removed: 0 } }]);
    await kit.remove("kb");
    await kit.write({ kb: "A text again" });
    expect(await syncSources(kit.bot)).toMatchObject([{ report: { added: 1, removed: 2, failed: 0 } }]);
    expect(await kit.texts()).toEqual({ [file]: "A text again" });
    const [source] = await kit.bot.listSources();
    expect(source?.arguments).toMatchObject([{ name: "kb", kind: "file", path: kit.at("kb") }]);
  });
});

describe("a source with the name -", () => {
  it("is one of any name: others have a standard input beside it", async () => {
    const kit = await openForImport();
    const given = (text: string) => ({
      stdin: (async function* () {
        yield Buffer.from(text);
      })(),
    });
    expect(await importSources(kit.bot, ["-"], { source: "-", ...given("One") })).toMatchObject({ added: 1 });
    expect(await importSources(kit.bot, ["-"], { source: "two", ...given("Two") })).toMatchObject({
      added: 1,
      failed: 0,
    });
    expect(await importSources(kit.bot, ["-"], { source: "-", ...given("One") })).toMatchObject({ unchanged: 1 });
    expect(await kit.texts()).toEqual({ "file:-/stdin": "One", "file:two/stdin": "Two" });
    expect(await syncSources(kit.bot)).toMatchObject([
      { why: expect.stringContaining("standard input") },
      { why: expect.stringContaining("standard input") },
    ]);
  });
});
