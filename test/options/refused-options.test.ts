import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engine } from "@loredex/core";
import { createApiHandler, createApiServer } from "@loredex/http";
import { importSources } from "@loredex/import";
import fc from "fast-check";
import { Engine as LoredexEngine, serve } from "loredex";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../tidy/source-files.ts";
import { closeStage, errorOf, madeWith, openStage, type Stage } from "./calls.ts";
import { hasOptions, lostEntries, uncheckedFor } from "./exceptions.ts";
import { type Call, callsOf, publicCalls, type Shape } from "./signatures.ts";

const calls = publicCalls();
const checked = calls.filter((call) => uncheckedFor(call) === undefined);
const taking = checked.flatMap((call) =>
  call.parameters.filter(hasOptions).map((parameter) => ({ call, ...parameter, names: parameter.shape.names ?? {} })),
);
const directory = await mkdtemp(join(tmpdir(), "refused-options-"));
let stage: Stage;

beforeAll(async () => {
  stage = await openStage(directory);
});

afterAll(async () => {
  await closeStage(stage);
  await rm(directory, { recursive: true });
});

/** What a call is refused with that is given this for one of its parameters. */
function refusalOf(call: Call, id: string, given: unknown): Promise<string> {
  return messageOf(() => madeWith(call, id, given, stage));
}

async function messageOf(call: () => unknown): Promise<string> {
  const error = await errorOf(call);
  return error instanceof Error ? error.message : String(error);
}

/** Every name with the names of the options that it is inside of. */
function pathsOf(names: Readonly<Record<string, Shape>>): string[][] {
  return Object.entries(names).flatMap(([name, { names: inside = {} }]) => [
    [name],
    ...pathsOf(inside).map((path) => [name, ...path]),
  ]);
}

function optionsWith(path: readonly string[]): unknown {
  return path.reduceRight<unknown>((inside, name) => ({ [name]: inside }), 1);
}

describe("every public function that takes an object", () => {
  it("is there: no entry of the tables has lost its function", () => {
    expect(lostEntries(calls)).toEqual([]);
  });

  it("would be caught if it were forgotten", () => {
    const forgotten = callsOf([join(ROOT, "test/options/packages/forgotten/index.ts")], {});
    const bags = forgotten.flatMap(({ parameters }) => parameters).filter(hasOptions);
    expect(bags.map(({ id, shape }) => [id, pathsOf(shape.names ?? {}).map((path) => path.join("."))])).toEqual([
      ["forgotten refund 1", ["days", "carrier", "carrier.name", "clock"]],
      ["forgotten Shop#sell options", ["colour"]],
      ["forgotten Till#open options", ["days", "carrier", "carrier.name", "clock"]],
    ]);
  });
});

describe.each(taking)("$id", ({ call, id, names }) => {
  it("refuses an option that there is not", async () => {
    expect(await refusalOf(call, id, { colour: 1 })).toMatch(/colour/);
  });

  it("names the option that was meant, whichever letter of it was mistyped", async () => {
    const paths = pathsOf(names);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), mistake(), async (path, make) => {
        const [meant = "", before] = [path.at(-1), path.slice(0, -1)];
        const given = make(meant);
        const siblings = paths.filter(({ length }) => length === path.length).map((each) => each.at(-1));
        fc.pre(given !== "" && !siblings.includes(given));
        const refusal = await refusalOf(call, id, optionsWith([...before, given]));
        const [, named = ""] = /did you mean "(?:[\w.]*\.)?(\w+)"\?/.exec(refusal) ?? [];
        // Another name may be as near.
        expect([given, named, named === meant || isOneMistake(given, named)]).toEqual([given, named, true]);
      }),
      { numRuns: 40 },
    );
  });
});

/** One letter too many, missing, wrong, or in the place of its neighbour. */
function mistake(): fc.Arbitrary<(name: string) => string> {
  const letters = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCXYZ");
  return fc
    .tuple(fc.nat(), fc.constantFrom("more", "less", "other", "swapped"), letters)
    .map(([place, kind, letter]) => (name) => {
      const at = place % name.length;
      const [before, after] = [name.slice(0, at), name.slice(at + 1)];
      if (kind === "more") return `${before}${letter}${name.slice(at)}`;
      if (kind === "less") return before + after;
      if (kind === "other") return before + letter + after;
      return `${before}${after.slice(0, 1)}${name[at]}${after.slice(1)}`;
    });
}

function isOneMistake(given: string, name: string): boolean {
  if (name === "") return false;
  for (let at = 0; at <= given.length; at++) {
    const [before, rest] = [given.slice(0, at), given.slice(at)];
    if (!name.startsWith(before)) return false;
    const left = name.slice(at);
    const isSwapped = left === `${rest.slice(1, 2)}${rest.slice(0, 1)}${rest.slice(2)}`;
    if (left === rest.slice(1) || left.slice(1) === rest || left.slice(1) === rest.slice(1) || isSwapped) return true;
  }
  return false;
}

describe("what would have lost data", () => {
  it.each<[string, (stage: Stage) => unknown, string]>([
    ["Engine.open", () => Engine.open({ dir: "./x" } as never), 'unknown option "dir"; did you mean "directory"?'],
    ["Engine.open of loredex", () => LoredexEngine.open({ dir: "./x" } as never), 'did you mean "directory"?'],
    ["serve", () => serve({ dir: "./x" } as never), 'unknown option "dir"; did you mean "directory"?'],
    ["serve without a directory", () => serve({} as never), "directory must be the path of the data directory"],
    ["createApiHandler", ({ engine }) => createApiHandler(engine, { prefx: "/kb" } as never), 'mean "prefix"?'],
    ["importSources", ({ bot }) => importSources(bot, [], { soruce: "docs" } as never), 'mean "source"?'],
    ["listDocuments", ({ bot }) => bot.listDocuments({ typ: "PDF" } as never), 'mean "type"?'],
    [
      "search",
      ({ bot }) => bot.search("q", AbortSignal.abort() as never),
      "options must be an object, not an AbortSignal",
    ],
    [
      "an offer of an embedder",
      () => Engine.open({ embedders: { mine: { languages: [], opne: () => undefined } as never } }),
      'unknown option "embedders.mine.opne"; did you mean "embedders.mine.open"?',
    ],
    [
      "options inside of others",
      ({ engine }) => createApiServer(engine, { timeouts: 5_000 } as never),
      "timeouts must be an object, not 5000; known options are headersMs, ",
    ],
    ["a name that is near none", () => Engine.open({ colour: 1 } as never), "known are directory, logger, "],
    [
      "all of several",
      () => Engine.open({ dir: "x", loger: 1 } as never),
      'unknown option "loger"; did you mean "logger"?',
    ],
  ])("%s says which option was meant", async (_, call, message) => {
    expect(await messageOf(() => call(stage))).toContain(message);
  });

  it("importDocument changes nothing for an option that there is not", async () => {
    const { bot } = stage;
    const document = { resourceDocId: "kept-out", type: "DOCUMENT", content: [{ md: "Refunds take five days." }] };
    expect(await messageOf(() => bot.importDocument(document, { sorce: "docs" } as never))).toContain('mean "source"?');
    expect(await bot.getDocument("kept-out")).toBeUndefined();
  });
});

it.each(["known-options.ts", "nearest.ts"])(
  "the client has the same %s as the core, of which it imports nothing",
  (file) => {
    const text = (path: string): string => readFileSync(join(ROOT, path, file), "utf8");
    expect(text("packages/client/src")).toBe(text("packages/core/src/model"));
  },
);
