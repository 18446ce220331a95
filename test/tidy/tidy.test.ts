import { describe, expect, it } from "vitest";
import { takenBy, wronglyTaken } from "./adapters.ts";
import { importCircles } from "./import-circles.ts";
import { ALLOWANCES, ruleOn, TOP_FLOOR } from "./import-rules.ts";
import { filesBelow, importsOf, isPublished, read } from "./source-files.ts";

const sources = filesBelow("packages", /\.ts$/).filter(isPublished);
const everything = ["packages", "test", "bench", "examples", "tools"].flatMap((folder) =>
  filesBelow(folder, /\.(tsx?|mjs)$/),
);
const prose = [...filesBelow("docs", /\.md$/), ...filesBelow("examples", /\.md$/)].concat([
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
]);

describe("imports", () => {
  it("keep the rules of the house", () => {
    const rulings = sources.flatMap((file) =>
      importsOf(read(file)).map((imported) => ({ file, ...ruleOn(file, imported) })),
    );
    expect(rulings.flatMap(({ file, why }) => (why === undefined ? [] : [`${file}: ${why}`]))).toEqual([]);
    // What nobody needs is not allowed either.
    const needed = new Set(rulings.map(({ allowance }) => allowance));
    expect(ALLOWANCES.filter((allowance) => !needed.has(allowance))).toEqual([]);
  });

  it("would be caught if they broke them", () => {
    expect(ruleOn("packages/core/src/index/postings/postings.ts", "../../analysis/words.ts").why).toContain("room");
    expect(ruleOn("packages/core/src/model/types.ts", "../engine.ts").why).toContain("leaf");
    expect(ruleOn("packages/core/src/model/types.ts", "../analysis/words.ts").why).toContain("leaf");
    expect(ruleOn("packages/core/src/attic/box.ts", "../analysis/words.ts").why).toContain("no rule");
    expect(ruleOn("packages/core/src/search/quote.ts", "../engine.ts").why).toContain("composes");
    expect(ruleOn("packages/import/src/convert/docx.ts", "../web/web.ts").why).toContain("room");
    expect(ruleOn("packages/import/src/sources/belonging/plan.ts", "../reading/settings.ts").why).toContain("room");
    expect(ruleOn("packages/import/src/sources/attic/box.ts", "../belonging/plan.ts").why).toContain("no rule");
    expect(ruleOn("packages/import/src/sources/box.ts", "./belonging/plan.ts").why).toContain("no rule");
    expect(ruleOn("packages/http/src/routes/search.ts", "../server.ts").why).toContain("composes");
    expect(ruleOn("packages/loredex/src/terminal/pace.ts", "../commands/lines.ts").why).toContain("room");
    expect(ruleOn("packages/http/src/server.ts", "../../core/src/engine.ts").why).toContain("reaches into");
    expect(ruleOn("packages/core/src/engine.ts", "@loredex/http").why).toContain("may not");
    expect(ruleOn("packages/core/src/engine.ts", "../testing/index.ts").why).toContain("test support");
    expect(ruleOn("packages/core/src/storage/store.ts", "../../testing/index.ts").why).toContain("test support");
    expect(ruleOn("packages/http/src/server.ts", "@loredex/core/testing").why).toContain("test support");
    expect(ruleOn("packages/core/testing/contract.ts", "../src/search/quote.ts").why).toContain("room");
    expect(ruleOn("packages/core/testing/contract.ts", "vitest").why).toContain("node:assert");
    expect(ruleOn("packages/core/src/search/quote.ts", "../index/search-index.ts")).toEqual({
      allowance: "search imports index",
    });
    expect(importsOf('import { a } from "./b.ts";\nexport * from "c";\nawait import("d")')).toEqual([
      "./b.ts",
      "c",
      "d",
    ]);
  });

  it("never go round in a circle, not even for a type", () => {
    expect(importCircles(everything, (file) => importsOf(read(file)))).toEqual([]);
  });

  it("would be caught if they went round", () => {
    const imports = new Map([
      ["bench/a.ts", ["./b.ts", "node:fs"]],
      ["bench/b.ts", ["./rooms/c.ts"]],
      ["bench/rooms/c.ts", ["../d.ts", "../a.ts"]],
      ["bench/d.ts", []],
      ["bench/e.ts", ["./a.ts", "./e.ts"]],
    ]);
    expect(importCircles([...imports.keys()], (file) => imports.get(file) ?? [])).toEqual([
      "bench/a.ts → bench/b.ts → bench/rooms/c.ts → bench/a.ts",
      "bench/e.ts → bench/e.ts",
    ]);
  });

  it("come from rooms: only the files that tell the story stand on core's top floor", () => {
    const loose = sources.filter((file) => /^packages\/core\/src\/[^/]+$/.test(file));
    expect(loose.map((file) => file.split("/").at(-1))).toEqual(TOP_FLOOR);
  });

  it("take the disk, the clock, timers and randomness only where they are let in", () => {
    const code = filesBelow("packages", /\.(ts|js)$/).filter(isPublished);
    expect(wronglyTaken(code.map((file) => [file, takenBy(read(file), importsOf(read(file)))]))).toEqual([]);
  });

  it("would be caught if they took more", () => {
    expect(takenBy("const now = new Date();", ["node:fs/promises"])).toEqual(["disk", "clock"]);
    expect(takenBy("setTimeout(f, 1); setImmediate(f); randomUUID();", [])).toEqual(["timers", "turns", "randomness"]);
    expect(takenBy("new Date(createdAtMs)", ["node:path"])).toEqual([]);
    expect(wronglyTaken([["packages/core/src/search/quote.ts", ["clock"]]])).toEqual(
      expect.arrayContaining(["packages/core/src/search/quote.ts takes clock", "nobody needs packages/http/ timers"]),
    );
  });
});

describe("every file", () => {
  it("has one job: at most 400 lines", () => {
    const isWritten = (text: string): boolean => /^\/\/ Written by `npm run [a-z-]+`/.test(text);
    const long = everything.filter((file) => !isWritten(read(file)) && read(file).split("\n").length > 400);
    expect(long).toEqual([]);
  });

  it("puts text in Unicode's normal forms in one place, which takes linear time", () => {
    const code = filesBelow("packages", /\.(ts|js)$/).filter(isPublished);
    const own = code.filter((file) => /\.\s*normalize\b|\["normalize"\]/.test(read(file)));
    expect(own).toEqual(["packages/core/src/platform/unicode-form.ts"]);
  });

  it("is finished: nothing is left for later or switched off", () => {
    const marker = new RegExp(
      `\\b(${["TO", "FIX", "XX", "HA"].map((a, i) => a + ["DO", "ME", "X", "CK"][i]).join("|")})\\b|\\.(only|todo)\\(`,
    );
    const unfinished = everything.filter((file) => !file.startsWith("test/tidy/") && marker.test(read(file)));
    expect(unfinished).toEqual([]);
  });

  it("speaks of nothing but the project: no path of a machine", () => {
    const machine = /(^|[^A-Za-z0-9_.~-])\/(work|farm|root)\/[A-Za-z.]/m;
    const leaking = [...everything, ...prose].filter(
      (file) => !file.startsWith("test/tidy/") && machine.test(read(file)),
    );
    expect(leaking).toEqual([]);
  });
});

describe("what a file exports", () => {
  it("is named in another one: nothing is left that nobody uses", () => {
    expect(unnamedExports(everything.map((file) => [file, read(file)]))).toEqual([]);
  });

  it("would be caught if it were not", () => {
    const files: [string, string][] = [
      ["packages/a/src/a.ts", "export const used = 1;\nexport function idle() {}\nexport class Idle {}"],
      ["packages/a/test/a.test.ts", 'import { used } from "../src/a.ts";'],
    ];
    expect(unnamedExports(files)).toEqual(["packages/a/src/a.ts: idle", "packages/a/src/a.ts: Idle"]);
  });
});

describe("links in the documentation", () => {
  it("lead to files that exist", () => {
    const dead = prose.flatMap((file) => {
      const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/") + 1) : "";
      return [...read(file).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map((match) => match[1] ?? "")
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !exists(folder + target))
        .map((target) => `${file}: ${target}`);
    });
    expect(dead).toEqual([]);
  });

  it("are followed in the map: every folder of core's sources is named in ARCHITECTURE.md", () => {
    const map = read("ARCHITECTURE.md");
    const folders = new Set(
      sources
        .map((file) => file.split("/"))
        .filter((parts) => parts[1] === "core" && parts.length === 5)
        .map((parts) => `${parts[3]}/`),
    );
    expect([...folders].filter((folder) => !map.includes(folder))).toEqual([]);
  });
});

/** Values that a source file exports and no other file names. Types are left out: they say what is in a signature. */
function unnamedExports(files: readonly (readonly [file: string, source: string])[]): string[] {
  const filesWith = new Map<string, number>();
  for (const [, source] of files) {
    for (const word of new Set(source.match(/\w+/g))) filesWith.set(word, (filesWith.get(word) ?? 0) + 1);
  }
  const exported = /^export (?:async )?(?:abstract )?(?:const|function\*?|class) (\w+)/gm;
  return files
    .filter(([file]) => isPublished(file))
    .flatMap(([file, source]) =>
      [...source.matchAll(exported)]
        .map((match) => match[1] ?? "")
        .filter((name) => (filesWith.get(name) ?? 0) < 2)
        .map((name) => `${file}: ${name}`),
    );
}

function exists(path: string): boolean {
  try {
    read(path.replace(/\/$/, "/README.md"));
    return true;
  } catch {
    return path.endsWith("/") || filesBelow(path, /./).length > 0;
  }
}

describe("keys", () => {
  /** Whether a text sends a key by fetch, and lets the answer send it elsewhere. */
  const mayCarryKeys = (text: string): boolean =>
    /x-api-key|\bapiKey\b/i.test(text) && /\bfetch\(/.test(text) && !/\bredirect\b/.test(text);

  it("go to no address that an answer names: what sends one refuses redirects", () => {
    const code = [...sources, ...everything.filter((file) => /^(examples|tools)\//.test(file))];
    const pages = [...prose, ...filesBelow("packages", /^README\.md$/)];
    expect([...new Set([...code, ...pages])].filter((file) => mayCarryKeys(read(file)))).toEqual([]);
    expect(mayCarryKeys('fetch(url, { headers: { "x-api-key": key } })')).toBe(true);
  });
});
