import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { differsFrom, lastJson } from "./answer-shape.ts";
import { codeBlocks } from "./code-blocks.ts";
import { tellStory } from "./page-story.ts";
import { lacksLine } from "./printed-text.ts";
import { directoryElsewhere, removeDirectoriesAfterwards, usersEnvironment } from "./users-machine.ts";

removeDirectoriesAfterwards();

/** A page of blocks: each one its language, its text, and what stands before it. */
const page = (...blocks: readonly [language: string, text: string, before?: string][]): string =>
  blocks.map(([language, text, before = ""]) => `${before}\n\`\`\`${language}\n${text}\n\`\`\`\n`).join("\nProse.\n\n");

/** Tells a page once, or more often in the same place; resolves with the directory. */
async function tell(markdown: string, times = 1): Promise<string> {
  const directory = await directoryElsewhere();
  const blocks = codeBlocks("page.md", markdown);
  for (let told = 0; told < times; told += 1) await tellStory(blocks, { directory, env: usersEnvironment() });
  return directory;
}

describe("a page whose blocks do what it says", () => {
  it("is one story: variables, files and programs go on", async () => {
    const directory = await tell(
      page(
        ["sh", 'NAME=ada\nmkdir -p made\necho "$NAME" > made/a'],
        ["js", 'import { readFileSync } from "node:fs";\nconst name = readFileSync("made/a", "utf8");'],
        ["js", 'import { writeFileSync } from "node:fs";\nwriteFileSync("made/b", "b");\nconst next = "c";'],
        ["js", 'writeFileSync("made/".concat(next), next);'],
        ["js", 'console.log("from a file");', "Put this into `ask.mjs`:\n"],
        ["sh", "node ask.mjs > said\ntest -f made/c", "It says so:\n"],
        ["js", "export const kept = 1;", "Put this into `lib/kept.mjs`:\n\n<!-- code: is read -->"],
        ["sh", `echo '{"old":1}[{"kept":1,"more":2}]'`],
        ["json", '[{ "kept": 7 }]'],
        ["sh", 'test "$NAME" = bob', "<!-- code: ends with 1 -->"],
        ["text", "what nobody runs: $ rm -rf"],
        ["sh", "echo one; echo 2 >&2; echo 3 of many; echo four; echo"],
        ["text", "one\n2\n3 … many\n…", "<!-- code: is printed -->"],
        ["sh", 'echo "0 of 20 vectors made by the embedder"; echo found'],
        ["text", "found", "<!-- code: is printed -->"],
      ),
      2,
    );
    expect(await readFile(join(directory, "said"), "utf8")).toBe("from a file\n");
  });

  it("ends what it has left running", async () => {
    const left = `trap 'touch ended; exit' TERM; touch begun; while :; do sleep 0.05; done`;
    const directory = await tell(
      page(["sh", `bash -c "${left}" > /dev/null 2>&1 &\nuntil [ -e begun ]; do sleep 0.05; done`]),
    );
    await vi.waitUntil(() => existsSync(join(directory, "ended")), { timeout: 10_000 });
  });
});

describe("a page with a wrong block fails, with its line", () => {
  it.each([
    ["a command that fails", page(["sh", "true\nfalse\ntrue"])],
    ["a command that fails within a pipe", page(["sh", "false | cat"])],
    ["a variable that nobody set", page(["sh", 'set -u\necho "$NOBODY_HAS_SET_IT"'])],
    ["one that should fail and does not", page(["sh", "true", "<!-- code: ends with 1 -->"])],
    ["a hint that means nothing", page(["sh", "true", "<!-- code: later -->"])],
    ["a prompt", page(["sh", "$ true\nit says this"])],
    ["what goes to the background and still writes here", page(["sh", "sleep 1 & PID=$!"])],
    ["a program that throws", page(["js", 'import "node:fs";\nthrow new Error("no");'])],
    [
      "a program that waits for something that never comes",
      page(["js", 'import "node:fs";\nawait new Promise(() => {});']),
    ],
    ["a type that is wrong", page(["js", 'import { join } from "node:path";\njoin("a").colour;'])],
    [
      "a type that is wrong in a program's second piece",
      page(["js", 'import "node:fs";\nconst a = 1;'], ["js", "a.colour;"]),
    ],
    ["a piece of no program", page(["js", "console.log(1);"])],
    ["a program that nobody runs", page(["js", "console.log(1);", "Put this into `ask.mjs`:\n"])],
    ["what is no JSON", page(["json", "{ 'a': 1 }"])],
    ["a line that is no JSON", page(["jsonl", '{"a":1}\n{'])],
    ["an answer that is another one", page(["sh", `echo '{"a":1}'`], ["json", '{ "b": 1 }'])],
    ["lines that are not printed", page(["sh", "echo a; echo b"], ["text", "a\nc", "<!-- code: is printed -->"])],
    ["a language that nobody knows", page(["cobol", "STOP RUN."])],
  ])("%s", async (_, markdown) => {
    await expect(tell(markdown)).rejects.toThrow(/^page\.md:\d+: /);
  });

  it("what works only once", async () => {
    const once = page(["sh", "mkdir only-once"]);
    await tell(once);
    await expect(tell(once, 2)).rejects.toThrow(/page\.md:2: it ended with 1/);
  });

  it("a block that says no language, or has no end", () => {
    expect(() => codeBlocks("page.md", "Prose.\n\n```\nnpm test\n```\n")).toThrow(
      "page.md:3: the block says no language",
    );
    expect(() => codeBlocks("page.md", "```sh\nnpm test\n")).toThrow("page.md:1: the block has no end");
  });
});

describe("what is shown of an answer", () => {
  it("may be less, and must not be different", () => {
    const real = { code: 1, message: "Article 0123456789abcdef01234567 is gone.", list: [{ a: "x" }], none: null };
    expect(
      differsFrom({ message: "Article fedcba9876543210fedcba98 is gone.", list: [{ a: "y" }] }, real),
    ).toBeUndefined();
    expect(differsFrom({ list: [] }, real)).toBeUndefined();
    expect(differsFrom({ code: 2 }, real)).toBe("it.code is 1, not 2");
    expect(differsFrom({ message: "Gone." }, real)).toContain("it.message is");
    expect(differsFrom({ list: [{ a: 1 }] }, real)).toBe("it.list[0].a is string, not number");
    expect(differsFrom({ list: [{ a: "y" }, { a: "z" }] }, real)).toBe("it.list has 1 elements, not 2");
    expect(differsFrom({ other: 1 }, real)).toBe("it has no other");
    expect(differsFrom([], real)).toBe("it is object, not an array");
  });

  it.each([
    ["a\nb", "a\nb\n\n", undefined],
    ["a …\n…\nd", "a 1\nb\nc\nd", undefined],
    ["…", "", undefined],
    ["NAME  AGE\n…   7", "NAME         AGE\nNina the 2nd 7", undefined],
    ["a b", "ab", "a b"],
    ["a.c", "abc", "a.c"],
    ["a\nc", "a\nb\nc", "c"],
    ["a", "a\nb", "nothing more, and not b"],
    ["…\nz", "a\nb", "z"],
  ])("is every line of a text: %j of %j", (shown, printed, wrong) => {
    expect(lacksLine(shown, printed)).toBe(wrong);
  });

  it("is the last JSON text that was printed", () => {
    expect(lastJson('{"a":{"b":1}}[{"c":2}]\n')).toEqual([{ c: 2 }]);
    expect(lastJson("[1] and then words")).toBeUndefined();
  });
});
