import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { beforeAll, describe, expect, it } from "vitest";
import { buildIfNeeded } from "../../examples/first-start/build.mjs";
import { whyNotInstalled } from "./npm.ts";
import { packedPackages, ROOT } from "./packages.ts";
import { environmentOf, installedProject, type Project } from "./project.ts";
import { removeDirectoriesAfterwards, run } from "./users-machine.ts";

const packages = await packedPackages();
const why = await whyNotInstalled();
removeDirectoriesAfterwards();

it("packages that were just built are taken for built: the next start does not wait for another build", () => {
  expect(buildIfNeeded(ROOT)).toBe(false);
});

describe.each(packages)("the package $name as it is published", ({ name, tarball, files, manifest }) => {
  it("has no fault that publint knows", async () => {
    const bytes = await readFile(tarball);
    const packed = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const { messages } = await publint({ pack: { tarball: packed }, strict: true });
    expect(messages).toEqual([]);
  });

  it("has types that are right for every way to resolve it", async () => {
    const found = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball))));
    const problems = found.types === false ? ["it has no types"] : found.problems;
    // An ES module: what CommonJS does with it stands in docs/library.md.
    expect(problems.filter((problem) => typeof problem === "string" || problem.kind !== "CJSResolvesToESM")).toEqual(
      [],
    );
  });

  it("says what it is and where it comes from, and carries what it needs and nothing twice", () => {
    expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "dist/index.js", "dist/index.d.ts"]));
    expect(files.filter((file) => /\.map$|^src\/|^test\/|tsconfig|tsup/.test(file))).toEqual([]);
    const directory = name.replace("@loredex/", "");
    expect(manifest).toMatchObject({
      license: "Apache-2.0",
      bugs: expect.stringContaining("https://"),
      homepage: expect.stringContaining("https://"),
      repository: { type: "git", directory: `packages/${directory}` },
    });
    expect(manifest.keywords).not.toEqual([]);
  });

  it("links nowhere but to files that exist", async () => {
    const page = await readFile(join(ROOT, "packages", name.replace("@loredex/", ""), "README.md"), "utf8");
    const links = [...page.matchAll(/\/blob\/main\/([^)#\s]+)/g)].map(([, path = ""]) => path);
    expect(links.length).toBeGreaterThan(0);
    for (const path of links) await readFile(join(ROOT, path));
  });
});

const CONSUMER = `
import { LoredexClient, type NewArticle, type SyncOutcome } from "@loredex/client";
import { Engine, EMBEDDERS, type SearchResult, serve, ValidationError } from "loredex";
import { type Bot, Engine as CoreEngine, type EngineOptions, type Storage } from "@loredex/core";
import { type ContractCase, storageContract } from "@loredex/core/testing";
import { createApiServer } from "@loredex/http";
import { openMiniLm } from "@loredex/minilm";
import { openOpenAiEmbedder } from "@loredex/openai";

const options: EngineOptions = { embedders: EMBEDDERS, openBotsMax: 3 };
const engine: Engine = await Engine.open(options);
const core: CoreEngine = engine;
const { key } = await core.ensureBot({ name: "acme" });
const bot: Bot = await engine.bot("acme");
const results: SearchResult[] = await bot.search("anything", { topK: 3 });
const lines: (number | undefined)[] = results.map((result) => result.similarTextParts[0]?.start);
const given: unknown = engine;
if (given instanceof Engine) given.listBots();
const client = new LoredexClient({ baseUrl: "http://127.0.0.1:8080", key: "k" });
const article: NewArticle = { title: "Refunds", body: "Three days.", metadata: { externalId: "1" } };
const sync = (): Promise<SyncOutcome> => client.sync([article], { by: "externalId", dryRun: true });
// @ts-expect-error Metadata is flat.
const nested: NewArticle = { ...article, metadata: { tags: ["a"] } };
// @ts-expect-error The key is there for whoever made the bot.
const always: string = key;
// @ts-expect-error A name is needed.
await engine.createBot({});
const cases: ContractCase[] = storageContract(async () => async (): Promise<Storage> => Promise.reject(new Error("none")));
export const used = [serve, ValidationError, createApiServer, openMiniLm, openOpenAiEmbedder, lines, always, sync, nested, cases];
`;

describe.skipIf(why !== undefined)(`in a user's project${why === undefined ? "" : ` (did not run: ${why})`}`, () => {
  let project: Project;
  beforeAll(async () => {
    project = await installedProject({ scripts: false });
  });

  it.each([
    ["nodenext", "nodenext", true],
    ["nodenext", "nodenext", false],
    ["esnext", "bundler", true],
    ["esnext", "bundler", false],
  ])("strict TypeScript accepts them (%s, %s, skipLibCheck %s)", async (module, moduleResolution, skipLibCheck) => {
    const compilerOptions = {
      ...{
        noEmit: true,
        strict: true,
        target: "es2022",
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
      },
      ...{ module, moduleResolution, skipLibCheck, verbatimModuleSyntax: true },
      ...{ types: ["node"], typeRoots: [join(ROOT, "node_modules", "@types")] },
    };
    await writeFile(join(project.directory, "consumer.mts"), CONSUMER);
    await writeFile(
      join(project.directory, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["consumer.mts"] }),
    );
    const ended = await run(process.execPath, [join(ROOT, "node_modules", "typescript", "bin", "tsc")], {
      cwd: project.directory,
      env: environmentOf(project),
    });
    expect(ended).toMatchObject({ code: 0, out: "" });
  });

  it("CommonJS imports them, and requires them where Node can", async () => {
    const say = "(m) => console.log(typeof m.Engine.open)";
    const cjs = (code: string) =>
      run(process.execPath, ["--no-warnings", "--input-type=commonjs", "-e", code], { cwd: project.directory });
    expect(await cjs(`import("loredex").then(${say})`)).toMatchObject({ code: 0, out: "function\n" });
    const required = await cjs(`(${say})(require("loredex"))`);
    if ("require_module" in process.features) expect(required).toMatchObject({ code: 0, out: "function\n" });
    else expect(required.err).toContain("ERR_REQUIRE_ESM");
  });
});
