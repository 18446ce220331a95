import { chown, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { Engine, LoredexError } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { withEncoder } from "../../encoder/test/runtime.ts";
import type { Check } from "../src/doctor/check.ts";
import { checkDataDirectory, checkDisk } from "../src/doctor/data-directory.ts";
import { checkNode, checkPlatform } from "../src/doctor/machine.ts";
import { checkEmbedders, checkGraph } from "../src/doctor/parts.ts";
import { EMBEDDERS } from "../src/index.ts";
import { openAiOffer } from "../src/openai-offer.ts";
import { commandEnvironment, loredex, startServer } from "./support/cli.ts";
import { canBeNobody, dataOfNobody, folders, NOBODY } from "./support/nobody.ts";
import { type Outcome, run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";
import { tree } from "./support/tree.ts";
import { withoutRuntime } from "./support/without-runtime.ts";

/** What is said of one thing. */
function named(name: string, checks: readonly Check[]): Check {
  const found = checks.find((check) => check.name === name);
  if (found === undefined) throw new Error(`nothing is said of the ${name}: ${JSON.stringify(checks)}`);
  return found;
}

/** What `--json` says of one thing. */
function checkOf({ out }: Outcome, name: string): Check {
  const { checks }: { checks: Check[] } = JSON.parse(out);
  return named(name, checks);
}

/** What the command would say of one thing about a data directory. It loads every encoder before it comes to that: once or twice is enough. */
async function foundOf(name: string, directory: string, answerMsMax?: number): Promise<Check> {
  return named(name, await checkDataDirectory(directory, answerMsMax));
}

const doctor = (directory: string): Promise<Outcome> => run("doctor", "--json", "--data", directory);

/** What a command is refused with, without the program's name before it. */
const refusalOf = ({ err }: Outcome): string => err.replace(/^loredex: /, "").trim();

/** A file in this folder that a Node is started with, in which a package cannot be found. */
async function without(name: string, folder: string): Promise<Record<string, string | undefined>> {
  const path = join(folder, "without.cjs");
  const found = `if (name === "${name}") throw new Error("Cannot find module '${name}'");`;
  const patch = `const real = M._resolveFilename; M._resolveFilename = (name, ...rest) => { ${found} return real(name, ...rest); };`;
  await writeFile(path, `const M = require("node:module"); ${patch}`);
  return { ...commandEnvironment(), NODE_OPTIONS: `--require ${path}` };
}

describe("loredex doctor", () => {
  withEncoder("says that all is there, and makes nothing", async () => {
    const home = await temporaryDirectory();
    const directory = join(home, "some", "data");
    const well = await run("doctor", "--data", directory);
    expect(well).toMatchObject({ code: 0, err: "" });
    expect(well.out).toContain(`ok     node                   Node ${process.versions.node}\n`);
    expect(well.out).toContain("ok     embedder minilm        loads, and has read a sentence\n");
    expect(well.out).toMatch(/^ok {5}data directory {9}\S+ is not there yet; .*make it$/m);
    expect(well.out).toMatch(/^ok {5}disk {19}[\d,.]+ [KMG]iB free$/m);
    expect(well.out).toMatch(/^ok {5}holder {17}nobody$/m);
    expect(await readdir(home)).toEqual([]);

    expect((await run("bot", "create", "b", "--data", directory)).code).toBe(0);
    const before = await tree(home);
    const asJson = await doctor(directory);
    expect(JSON.parse(asJson.out).passed).toBe(true);
    expect(checkOf(asJson, "data directory")).toEqual({ name: "data directory", state: "ok", message: directory });
    expect(checkOf(asJson, "damage")).toMatchObject({
      state: "note",
      message: expect.stringContaining("loredex verify"),
    });
    expect(await tree(home)).toEqual(before);
    // The lock was let go.
    expect((await run("bot", "list", "--data", directory)).code).toBe(0);
  });

  it("tells a missing encoder in the words of every other place, and ends with 1", async () => {
    withoutRuntime();
    const directory = join(await temporaryDirectory(), "data");
    // The line before tells the limits of the bot.
    const story = (await run("bot", "create", "b", "--data", directory)).err.trim().split("\n").at(-1);
    const plain = await run("doctor", "--data", directory);
    expect(plain.code).toBe(1);
    expect(plain.out).toContain(`wrong  embedder minilm        ${story}\n`);
    const asJson = await doctor(directory);
    expect(JSON.parse(asJson.out).passed).toBe(false);
    expect(checkOf(asJson, "embedder minilm")).toMatchObject({
      state: "wrong",
      message: story,
      mend: expect.stringMatching(/^npm install onnxruntime-node@\S+$/),
    });
  });

  it("tells what can't be a data directory as the server would", async () => {
    const file = join(await temporaryDirectory(), "data");
    await writeFile(file, "");
    for (const directory of [file, join(file, "below")]) {
      const refused = await run("serve", "--port", "0", "--data", directory);
      expect(await foundOf("data directory", directory)).toMatchObject({ state: "wrong", message: refusalOf(refused) });
    }
    expect((await doctor(file)).code).toBe(1);
  });

  it("tells who holds the directory: a server, nobody after one that was killed, or a program that takes no commands", async () => {
    const directory = join(await temporaryDirectory(), "data");
    const server = await startServer(directory);
    const served = await foundOf("holder", directory);
    expect(served).toMatchObject({ state: "ok", message: "a running server, which takes commands" });
    await server.stop("SIGKILL");
    expect(await foundOf("holder", directory)).toMatchObject({ state: "ok", message: "nobody" });
    const engine = await Engine.open({ directory });
    const held = await foundOf("holder", directory);
    const refused = await run("bot", "list", "--data", directory);
    await engine.close();
    expect(refused.code).toBe(1);
    expect(held).toMatchObject({ state: "note", message: refusalOf(refused) });
  });

  it("calls a server that does not answer wrong", async () => {
    const directory = await temporaryDirectory();
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(join(directory, "loredex.sock"), resolve));
    onTestFinished(() => void silent.close());
    expect(await foundOf("holder", directory, 1)).toMatchObject({
      state: "wrong",
      message: expect.stringContaining("does not answer"),
    });
  });
});

describe.skipIf(!canBeNobody)("loredex doctor as another user (needs root, and sources that all can read)", () => {
  it("tells that it is refused, as every command is, and leaves no trace", async () => {
    const { directory } = await dataOfNobody();
    const refused = await run("bot", "list", "--data", directory);
    const before = await tree(directory);
    const ended = await doctor(directory);
    expect(ended.code).toBe(1);
    expect(checkOf(ended, "data directory")).toMatchObject({ state: "wrong", message: refusalOf(refused) });
    expect(await tree(directory)).toEqual(before);
  });

  it("takes the way of a running server as root", async () => {
    const { directory } = await dataOfNobody();
    const server = await startServer(directory, { user: NOBODY });
    expect(await foundOf("data directory", directory)).toMatchObject({ state: "ok" });
    expect((await foundOf("holder", directory)).message).toContain("a running server");
    await server.stop("SIGTERM");
  });

  it("tells where a directory can't be made, whose it is, and which file can't be used", async () => {
    const { home, directory } = await dataOfNobody();
    // Loading the encoders takes longer than all the rest.
    const environment = await without("onnxruntime-node", (await folders()).home);
    const asNobody = (data: string): Promise<Outcome> =>
      loredex(["doctor", "--json", "--data", data], { user: NOBODY, environment });
    const stores = join(directory, "stores");
    const [store = ""] = await readdir(stores);
    const [segment = ""] = (await readdir(join(stores, store))).filter((name) => name.endsWith(".log"));
    expect(checkOf(await asNobody(directory), "data directory").state).toBe("ok");
    await chown(join(stores, store, segment), 0, 0);
    const file = checkOf(await asNobody(directory), "data directory");
    expect(file).toMatchObject({ state: "wrong", message: expect.stringContaining(segment) });
    await chown(home, 0, 0);
    const made = checkOf(await asNobody(join(home, "other")), "data directory");
    expect(made).toMatchObject({ state: "wrong", message: expect.stringMatching(/^Cannot .*other: .*no permission/) });
  });
});

describe("the checks", () => {
  it.each([
    ["20.19.1", "wrong"],
    ["20.9.5", "wrong"],
    ["18.30.9", "wrong"],
    ["20.19.2", "ok"],
    ["20.20.0", "ok"],
    ["21.0.0", "ok"],
    ["26.0.0-nightly20260101", "ok"],
  ])("find Node %s %s", (version, state) => {
    expect(checkNode(version, ">=20.19.2").state).toBe(state);
  });

  it("say what Windows lacks", () => {
    expect(checkPlatform("win32", "x64")).toMatchObject({ state: "note", message: expect.stringContaining("serve") });
  });

  it("say that a disk is full, and nothing of one that can't tell", () => {
    const full = new LoredexError("DISK_FULL", "The disk is full: cannot write in there. Free some space.");
    expect(checkDisk({ freeBytes: 0, full })).toEqual([{ name: "disk", state: "wrong", message: full.message }]);
    expect(checkDisk({})).toEqual([]);
  });

  it("expect the graph backend where it is chosen", async () => {
    const story = "Large bots are searched without a graph: x. To mend it: npm install @loredex/hnswlib";
    const missing = {
      name: "@loredex/hnswlib",
      why: "x",
      mend: "npm install @loredex/hnswlib",
      instead: "scan",
      story,
    } as const;
    const [lacks] = await checkGraph("hnswlib", async () => missing);
    expect(lacks).toEqual({ name: "graph hnswlib", state: "wrong", message: story, mend: missing.mend });
    expect(await checkGraph("hnswlib", async () => undefined)).toEqual([
      { name: "graph hnswlib", state: "ok", message: "loads" },
    ]);
    for (const chosen of ["built-in", undefined])
      expect(await checkGraph(chosen, () => expect.fail("asked"))).toEqual([]);
  });

  it("expect a model server where the environment names one, and not the encoder where nobody gets it", async () => {
    withoutRuntime();
    const environment = {
      LOREDEX_OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
      LOREDEX_OPENAI_MODEL: "m",
      LOREDEX_OPENAI_LANGUAGES: "en",
    };
    const { minilm = { languages: [] } } = EMBEDDERS;
    const offers = { minilm: { ...minilm, languages: [] }, openai: openAiOffer(environment) };
    const [encoder, server] = await checkEmbedders(offers, environment);
    expect(encoder?.state).toBe("note");
    expect(server).toMatchObject({
      state: "wrong",
      message: expect.stringContaining("start the model server at http://127.0.0.1:1,"),
    });
    expect(await checkEmbedders({ openai: openAiOffer({}) }, {})).toEqual([]);
  });
});
