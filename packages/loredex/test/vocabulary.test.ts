import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../src/serve.ts";
import { documentLine, writeFiles } from "./support/files.ts";
import { type Outcome, run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const WORDS = `synonyms:
  - holiday, annual leave
  - PTO => annual leave
pins:
  - question: "* parcel *"
    document: leave
ignored:
  - please
`;

/** A bot that finds by words, on its directory or through a server that holds it, with a vocabulary in a file beside it. */
async function shop(way: "directory" | "server" = "directory") {
  const directory = await temporaryDirectory();
  const data = join(directory, "data");
  const at = (...argv: readonly string[]): Promise<Outcome> => run(...argv, "--data", data);
  const golden = [
    { question: "how many days of PTO", id: "leave" },
    { question: "heavy parcel", id: "parcel" },
  ];
  await writeFiles(directory, {
    "all.jsonl": [
      documentLine("leave", "Annual leave is thirty days."),
      documentLine("parcel", "Parcels may be heavy. PTO is none. How many days?"),
    ].join("\n"),
    "golden.jsonl": golden.map((line) => JSON.stringify(line)).join("\n"),
    "words.yaml": WORDS,
    "wrong.yaml": "synonyms:\n  - alone\n",
  });
  await at("bot", "create", "shop", "--embedder", "none");
  await at("import", "shop", join(directory, "all.jsonl"));
  if (way === "server") {
    const server = await serve({ directory: data, port: 0 });
    onTestFinished(() => server.close());
  }
  return { at, path: (name: string) => join(directory, name) };
}

describe.each(["directory", "server"] as const)("vocabulary, on a %s,", (way) => {
  it("is imported, shown, exported so that it imports again, changed and cleared", async () => {
    const { at, path } = await shop(way);
    expect((await at("vocabulary", "show", "shop")).err).toBe("The bot has no vocabulary.\n");
    const imported = await at("vocabulary", "import", "shop", path("words.yaml"));
    expect(imported.err).toBe("The vocabulary has 2 lines of synonyms, 1 pinned answer and 1 text to ignore.\n");
    const { out } = await at("vocabulary", "show", "shop");
    expect(out).toContain("synonyms  PTO => annual leave\n");
    expect((await at("vocabulary", "export", "shop")).out).toBe(WORDS);
    for (const name of ["again.yaml", "again.csv"]) {
      expect((await at("vocabulary", "export", "shop", path(name))).code).toBe(0);
      expect((await at("vocabulary", "import", "shop", path(name))).code).toBe(0);
      expect((await at("vocabulary", "export", "shop")).out).toBe(WORDS);
    }
    expect(await readFile(path("again.yaml"), "utf8")).toBe(WORDS);
    expect((await at("vocabulary", "export", "shop", path("again.csv"))).code).toBe(1);

    expect(await at("vocabulary", "remove", "shop", "plese")).toMatchObject({ code: 1 });
    await at("vocabulary", "remove", "shop", "please", "* parcel *");
    expect(JSON.parse((await at("vocabulary", "show", "shop", "--json")).out)).toEqual({
      synonyms: ["holiday, annual leave", "PTO => annual leave"],
      pins: [],
      ignored: [],
    });
    await at("vocabulary", "remove", "shop", "PTO=>annual  leave");
    expect((await at("vocabulary", "export", "shop")).out).toBe("synonyms:\n  - holiday, annual leave\n");
    await writeFile(
      path("pins.yaml"),
      "pins:\n  - { question: a, document: leave }\n  - { question: b, document: none }\n",
    );
    expect((await at("vocabulary", "import", "shop", path("pins.yaml"))).err).toBe(
      "No document has the id none: a pin to it has no effect until there is one.\n" +
        "The vocabulary has 0 lines of synonyms, 2 pinned answers and 0 texts to ignore.\n",
    );
    expect((await at("vocabulary", "clear", "shop")).code).toBe(2);
    await at("vocabulary", "clear", "shop", "--yes");
    expect((await at("vocabulary", "show", "shop")).err).toBe("The bot has no vocabulary.\n");
  });

  it("is obeyed by searches, and explained", async () => {
    const { at, path } = await shop(way);
    await at("vocabulary", "import", "shop", path("words.yaml"));
    const [first] = JSON.parse((await at("search", "shop", "a parcel please", "--json")).out);
    expect(first).toMatchObject({ resourceDocId: "leave", bestMatchScore: 1 });
    const { out } = await at("explain", "shop", "a parcel please", "leave");
    expect(out).toContain('Returned as number 1 of 2, with 1.000 (the vocabulary pins it to "* parcel *").');
    expect(out).toContain("The vocabulary ignores: pleas.\n");
    expect((await at("explain", "shop", "holidays", "leave")).out).toContain("holiday (taken for annual, leav)");
  });

  it("is tried by eval, which shows the measures before and with it, and changes nothing", async () => {
    const { at, path } = await shop(way);
    const measured = await at("eval", "shop", path("golden.jsonl"), "--with-vocabulary", path("words.yaml"));
    expect(measured).toMatchObject({ code: 0, err: "" });
    expect(measured.out).toContain("            before  with\nnDCG@10");
    const { before, measures } = JSON.parse(
      (await at("eval", "shop", path("golden.jsonl"), "--with-vocabulary", path("words.yaml"), "--json")).out,
    );
    expect(before).toEqual(JSON.parse((await at("eval", "shop", path("golden.jsonl"), "--json")).out).measures);
    expect(measures).not.toEqual(before);
    expect((await at("vocabulary", "show", "shop")).err).toBe("The bot has no vocabulary.\n");
  });

  it("that is wrong is refused by its lines, and changes nothing", async () => {
    const { at, path } = await shop(way);
    await at("vocabulary", "import", "shop", path("words.yaml"));
    const { code, err } = await at("vocabulary", "import", "shop", path("wrong.yaml"));
    expect(code).toBe(1);
    expect(err).toContain("wrong.yaml:2: synonyms.0 must have at least two texts");
    await writeFile(path("many.yaml"), `synonyms:\n${"- x\n".repeat(25)}`);
    const many = (await at("vocabulary", "import", "shop", path("many.yaml"))).err.split("\n");
    expect([many.length, many[1], many[20]]).toEqual([
      22,
      expect.stringMatching(/^loredex: .*many\.yaml:3: synonyms\.1 must have/),
      "loredex: and 5 more problems",
    ]);
    for (const [name, text] of Object.entries({ "empty.yaml": "# Nothing yet.\n", "empty.csv": "kind,text,to\n" })) {
      await writeFile(path(name), text);
      const refused = await at("vocabulary", "import", "shop", path(name));
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("has no entry")]);
    }
    expect((await at("vocabulary", "export", "shop")).out).toBe(WORDS);
    expect((await at("eval", "shop", path("golden.jsonl"), "--with-vocabulary", path("wrong.yaml"))).code).toBe(2);
  });
});
