import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseVocabulary, type Vocabulary } from "@loredex/core";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { readVocabularyFile, VocabularyFileError, vocabularyText } from "../../src/index.ts";
import { readCsvVocabulary } from "../../src/vocabulary/csv-vocabulary.ts";
import { readYamlVocabulary } from "../../src/vocabulary/yaml-vocabulary.ts";

const VOCABULARY: Vocabulary = {
  synonyms: ["holiday, annual leave, time off", "PTO => annual leave"],
  pins: [{ question: "* refund *", document: "file:handbook/refunds.md" }],
  ignored: ["please", "404", "no"],
};

async function fileOf(name: string, text: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-vocabulary-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

/** The problems of a file, each with its line. */
async function problemsOf(name: string, text: string): Promise<string[]> {
  try {
    await readVocabularyFile(await fileOf(name, text));
  } catch (error) {
    if (error instanceof VocabularyFileError) return error.problems.map(({ line, message }) => `${line}: ${message}`);
    throw error;
  }
  return [];
}

describe("a vocabulary file", () => {
  it.each(["words.yaml", "words.yml", "words.csv", "words.json"])("%s is read as people write it", async (name) => {
    const yaml = `# ours
synonyms:
  - holiday,  annual leave, time off
  - PTO => annual leave
pins:
  - question: "* refund *"
    document: file:handbook/refunds.md
ignored: [please, 404, no]
`;
    const csv = `\uFEFFkind;text;to\r
synonyms;holiday, annual leave, time off;\r
synonyms;PTO;annual leave\r
\r
pin;* refund *;file:handbook/refunds.md\r
ignored;please;\r
ignored;404;\r
ignored;no;\r
`;
    const text = name.endsWith("csv") ? csv : name.endsWith("json") ? JSON.stringify(VOCABULARY) : yaml;
    expect(await readVocabularyFile(await fileOf(name, text))).toEqual(VOCABULARY);
  });

  it.each(["words.yaml", "words.csv"])(
    "%s that was written from a vocabulary gives the same vocabulary",
    async (name) => {
      expect(await readVocabularyFile(await fileOf(name, vocabularyText(VOCABULARY, name)))).toEqual(VOCABULARY);
      const empty = parseVocabulary({});
      expect(await readVocabularyFile(await fileOf(name, vocabularyText(empty, name)))).toEqual(empty);
    },
  );

  it("in CSV may have every cell in quotes, kinds in any case, and empty columns at the end", async () => {
    const text = '"Kind","text","to","",""\n"Synonyms","a, b","","",""\n"PIN","x","y",,\n';
    expect(await readVocabularyFile(await fileOf("a.csv", text))).toEqual({
      synonyms: ["a, b"],
      pins: [{ question: "x", document: "y" }],
      ignored: [],
    });
  });

  it("in YAML is refused by its lines", async () => {
    const text = "synonyms:\n  - a, b\n  - alone\npins:\n  - question: x\nwords: []\n";
    expect(await problemsOf("a.yaml", text)).toEqual([
      '3: synonyms.1 must have at least two texts; write "a, b" or "a => b, c"',
      "5: pins.0.document must be a string",
      "6: words is not a known field; known are synonyms, pins, ignored",
    ]);
    const starred = await problemsOf("a.yaml", "pins:\n  - document: x\n    question: * refund\n");
    expect(starred).toHaveLength(1);
    expect(starred[0]).toContain("3: ");
    expect(starred[0]).toContain('put a text that begins with * in quotes: "* refund *"');
    expect(await problemsOf("a.yaml", "ignored: [a]\nsynonyms: []\nignored: [b]\n")).toEqual([
      "3: the key stands twice in one map; put its entries together",
    ]);
    expect(await problemsOf("a.yaml", "- a")).toEqual(["1: vocabulary must be an object"]);
    expect(await problemsOf("a.yaml", "")).toEqual([]);
  });

  it("in CSV is refused by its lines", async () => {
    const text = 'kind,text,to\nsynonyms,"a,\nb",\nsynonym,a,b\nignored,a,b\npin,a,b,c\n';
    expect(await problemsOf("a.csv", text)).toEqual([
      '4: the kind must be one of synonyms, pin, ignored, not "synonym"',
      "5: a word to ignore has nothing in the column to",
      "6: the row has more than three cells; put a text with a comma in quotes",
    ]);
    expect(await problemsOf("a.csv", 'kind,text,to\nignored,"a\nb",\nsynonyms,alone,\n')).toEqual([
      '4: synonyms.0 must have at least two texts; write "a, b" or "a => b, c"',
    ]);
    expect(await problemsOf("a.csv", "a => b\n")).toEqual(["1: the first line must be kind,text,to"]);
    expect(await problemsOf("a.csv", 'kind,text,to\nignored,"a\n')).toHaveLength(1);
  });

  it("law: what is written from any vocabulary is read as the same vocabulary", () => {
    const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
    const vocabularies = fc
      .record({
        synonyms: fc.array(
          fc.tuple(word, word, fc.constantFrom(", ", " => ")).map(([a, b, sign]) => a + sign + b),
          { maxLength: 3 },
        ),
        pins: fc.array(fc.record({ question: word, document: word }, { noNullPrototype: true }), { maxLength: 3 }),
        ignored: fc.array(word, { maxLength: 3 }),
      })
      .map((given): Vocabulary | undefined => {
        try {
          return parseVocabulary(given);
        } catch {
          return undefined;
        }
      })
      .filter((vocabulary) => vocabulary !== undefined);
    fc.assert(
      fc.property(vocabularies, (vocabulary) => {
        expect(parseVocabulary(readYamlVocabulary(vocabularyText(vocabulary, "a.yaml")).value)).toEqual(vocabulary);
        expect(parseVocabulary(readCsvVocabulary(vocabularyText(vocabulary, "a.csv")).value)).toEqual(vocabulary);
        expect(parseVocabulary(vocabulary)).toEqual(vocabulary);
      }),
      { numRuns: lawRuns(100) },
    );
  });
});
