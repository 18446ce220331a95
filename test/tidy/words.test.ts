import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RETIRED_PHRASES } from "./prose.ts";
import { filesBelow, isPublished, ROOT, read } from "./source-files.ts";

/** Words that the glossary retired, as they stand in names, comments, options and pages. */
const RETIRED: Readonly<Record<string, RegExp>> = {
  "static embedder": /student/i,
  reranking: /third[ -]?look/i,
  Deps: /\b(?!Lexical|Captured)[A-Z]\w+Parts\b(?= extends| \{)/,
};

/** Phrases and names that the glossary retired, in the code of the packages alone: tests tell their stories freely. */
const RETIRED_IN_CODE: Readonly<Record<string, RegExp>> = {
  ...RETIRED_PHRASES,
  pinned: /\bkept still\b/i,
  "background job": /\bupkeep\b/i,
  "compared, reranked": /\b(?:lookAt|isLooking)\b/,
};

/** Files that must know an old name, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "CHANGELOG.md": "it tells what was",
  "docs/glossary.md": "it lists the retired words",
  "packages/core/src/model/nearest.ts": "an error names the new name",
  "packages/client/src/nearest.ts": "a copy of that",
  "packages/core/src/catalog/settings.ts": "settings that were stored with the old name",
  "packages/core/model/static/manifest.json": "the id of the vectors, which are stored",
  "packages/core/src/engine-options.ts": "an error names the new name",
  "packages/core/test/engine/old-names.test.ts": "it tries old names",
  "packages/core/test/embedding/static-embedder.test.ts": "the key of a table that is stored",
  "test/tidy/words.test.ts": "this list",
};

describe("retired words", () => {
  const files = ["packages", "test", "bench", "examples", "docs"]
    .flatMap((folder) => filesBelow(folder, /\.(ts|js|mjs|md|json)$/))
    .concat(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"])
    .filter((file) => !file.startsWith("docs/decisions/") && !/tokenizer\.json|package-lock|\/dist\//.test(file));

  it.each(Object.entries(RETIRED))("are not written: say %s", (_, word) => {
    const found = files
      .filter((file) => !(file in EXCEPTIONS))
      // Decisions keep their names, as files that pages lead to.
      .filter((file) => word.test(read(file).replace(/decisions\/[\w.-]+/g, "")));
    expect(found).toEqual([]);
  });

  const code = filesBelow("packages", /\.ts$/)
    .filter(isPublished)
    .map((file) => ({ file, text: read(file) }));

  it.each(Object.entries(RETIRED_IN_CODE))("are not in the code: say %s", (_, word) => {
    expect(code.length).toBeGreaterThan(500);
    expect(code.filter(({ text }) => word.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it("have no exception that is not needed", () => {
    const needed = Object.keys(EXCEPTIONS).filter((file) =>
      Object.values(RETIRED).some((word) => word.test(read(file))),
    );
    expect(needed).toEqual(Object.keys(EXCEPTIONS));
  });
});

/** Where a path that a page names may begin. */
const BEGINNINGS = ["", "packages/core/src/"];
/** A file by its ending, or a folder by the slash at its end; no address such as `/api/v1`. */
const PATH = /^(?:\.?\w[\w./-]*(?:\.(?:ts|py|mjs|md|json|yml)|\/)|\.ci\/run)$/;

/** The files and folders that a page names in code, each with the names in parentheses behind it. */
function pathsIn(page: string): { path: string; names: string[] }[] {
  return [...page.matchAll(/`([^`\n]+)`(?: \(([^)\n]*)\))?/g)]
    .map(([, path = "", behind = ""]) => ({
      path,
      names: [...behind.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    }))
    .filter(({ path }) => PATH.test(path));
}

/** The place of a path, as a path from the root; undefined if it is nowhere. */
function placeOf(path: string): string | undefined {
  return BEGINNINGS.map((beginning) => beginning + path).find((place) => existsSync(join(ROOT, place)));
}

/** What a page names that is not there: paths, names in files, commands of npm. */
function wronglyNamed(page: string): string[] {
  const named = pathsIn(page).flatMap(({ path, names }) => {
    const place = placeOf(path);
    if (place === undefined) return [path];
    if (place.endsWith("/")) return [];
    const text = read(place);
    return names.filter((name) => !text.includes(name)).map((name) => `${path}: ${name}`);
  });
  return [...named, ...unknownCommands(page)];
}

/** The commands of npm that a page names and the project lacks. */
function unknownCommands(page: string): string[] {
  const { scripts } = JSON.parse(read("package.json"));
  const names = [...page.matchAll(/`npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
  return names.filter((name) => !(name in scripts)).map((name) => `npm run ${name}`);
}

describe("the map", () => {
  const map = read("ARCHITECTURE.md");

  it("can be read in one sitting", () => {
    expect(map.split("\n").length).toBeLessThanOrEqual(180);
  });

  it("names files and folders that are there", () => {
    expect(pathsIn(map).length).toBeGreaterThan(60);
    expect(wronglyNamed(map)).toEqual([]);
  });
});

describe("the page on changes", () => {
  const page = read("docs/changing.md");

  it("is short", () => {
    expect(page.split("\n").length).toBeLessThanOrEqual(250);
  });

  it("names files, folders, what is in them, and commands that are there", () => {
    expect(pathsIn(page).length).toBeGreaterThan(200);
    expect(wronglyNamed(page)).toEqual([]);
  });

  it("would be caught if it named others", () => {
    expect(
      wronglyNamed(
        "`model/typos.ts` (`A`), `model/types.ts` (`Article`, `Artikel`), `npm run writ`, `/api/v1/`, `x.y`",
      ),
    ).toEqual(["model/typos.ts", "model/types.ts: Artikel", "npm run writ"]);
  });

  it("has a section for each change in the map's table, and no other", () => {
    const table = /## Where do I change[^#]*(?:#[\w-]+[^#]*)*/.exec(read("ARCHITECTURE.md"))?.[0] ?? "";
    const linked = [...table.matchAll(/^\| \[an? [^\]]+\]\(docs\/changing\.md#([\w-]+)\)/gm)].map(([, name]) => name);
    const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, name = ""]) => name.toLowerCase().replace(/\W+/g, "-"));
    expect([...new Set(linked)]).toEqual(sections);
  });
});

it("the commands of CONTRIBUTING.md and of the tools are there", () => {
  expect(["CONTRIBUTING.md", "tools/README.md"].flatMap((page) => unknownCommands(read(page)))).toEqual([]);
});

describe("the page of a room", () => {
  const rooms = [
    ...new Set(
      filesBelow("packages/core/src", /\.ts$/)
        .map((file) => file.slice(0, file.lastIndexOf("/")))
        .filter((folder) => folder !== "packages/core/src"),
    ),
    "packages/core/testing",
    "packages/http/src/admin",
    "packages/loredex/src/admin",
  ];

  const known = new Set(filesBelow("packages", /\.ts$/).map((file) => file.slice(file.lastIndexOf("/") + 1)));

  it.each(rooms)("is there, short, and names its files: %s", (room) => {
    const page = read(`${room}/README.md`);
    expect(page.split("\n").length).toBeLessThanOrEqual(81);
    const names = [...page.matchAll(/`([\w.-]+\.ts)`/g)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    const links = [...page.matchAll(/\]\(([^)#\s]+)/g)].map(([, target = ""]) => target);
    expect(links.filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(ROOT, room, target)))).toEqual([]);
  });
});
