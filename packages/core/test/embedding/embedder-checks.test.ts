import { describe, expect, it } from "vitest";
import type { Embedder } from "../../src/embedding/embedder.ts";
import { EMBEDDER_FIELDS } from "../../src/embedding/embedder-checks.ts";
import { SharedEmbedder } from "../../src/embedding/shared-embedder.ts";
import { tryEmbedder } from "../../src/embedding/try-embedder.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

/** There is time enough for everything. */
const never = (_: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));

/** A whole embedder with every field that there is, as plain objects whose fields can be changed. */
function whole(): Record<string, unknown> {
  const fake = new FakeEmbedder({ tokens: "1" });
  const { id, version, dimensions, weight, cost, tokens } = fake;
  if (tokens === undefined) throw new Error("The fake has no tokens.");
  return {
    ...{ id, version, dimensions, weight, cost: { ...cost } },
    tokens: { ...tokens, space: { ...tokens.space }, calibration: { ...tokens.calibration } },
    calibrate: (cosine: number) => fake.calibrate(cosine),
    bias: () => 0,
    smallTalk: () => 0,
    embedPassages: (texts: readonly string[], signal?: AbortSignal) => fake.embedPassages(texts, signal),
    embedQuery: (text: string, signal?: AbortSignal) => fake.embedQuery(text, signal),
    close: async () => undefined,
  };
}

/** The object that holds the last field of a path, and that field's name. */
function placeOf(embedder: Record<string, unknown>, path: string): [place: Record<string, unknown>, name: string] {
  const names = path.split(".");
  const name = names.pop() ?? "";
  return [names.reduce((place, each) => place[each] as Record<string, unknown>, embedder), name];
}

/** What is told of an offer that opens this: by an engine, and by `doctor`. */
async function toldOf(opened: unknown): Promise<(string | undefined)[]> {
  const offer = { languages: ["*"], open: async () => opened as Embedder };
  const shared = new SharedEmbedder("own", offer, () => undefined, never);
  await shared.get();
  const { missing } = shared;
  await shared.close();
  return [missing?.why, (await tryEmbedder("own", offer))?.why];
}

const FIELDS = Object.entries(EMBEDDER_FIELDS);
/** None of them is right for any field. */
const WRONG: readonly unknown[] = [null, true, Symbol("no"), 1n, Number.NaN, "", -1];

describe("an embedder", () => {
  it("is used with every field, and without those that may be left out", async () => {
    expect(await toldOf(whole())).toEqual([undefined, undefined]);
    const least = whole();
    for (const [path, { isOptional }] of FIELDS) if (isOptional === true) delete least[path];
    expect(Object.keys(least).sort()).toEqual(
      ["close", "cost", "dimensions", "embedPassages", "embedQuery", "id", "version", "weight"].sort(),
    );
    expect(await toldOf(least)).toEqual([undefined, undefined]);
  });

  it.each([
    ["NaN", () => Number.NaN],
    ["7", () => 7],
    ["-0.5", (cosine: number) => cosine / 2],
    ["an object", () => ({})],
    ["undefined", () => undefined],
  ])("whose calibration gives %s is refused, with the field and an example", async (given, calibrate) => {
    for (const told of await toldOf({ ...whole(), calibrate })) {
      expect(told).toContain(`field calibrate gives ${given} for the cosine -1`);
      expect(told).toContain("for example calibrate: (cosine) =>");
    }
  });

  it("whose calibration falls is refused", async () => {
    const calibrate = (cosine: number): number => (cosine < 0.5 ? 0.8 : 0.2);
    for (const told of await toldOf({ ...whole(), calibrate })) expect(told).toContain("for the cosine 0.5");
  });

  it.each(FIELDS)("that lacks %s is refused, with the field, what it must be and an example", async (path, rule) => {
    const embedder = whole();
    const [place, name] = placeOf(embedder, path);
    expect(place).toHaveProperty(name);
    delete place[name];
    const why = `Its field ${path} is missing: it must be ${rule.must}, for example ${name}: ${rule.example}`;
    const expected = rule.isOptional === true ? undefined : why.replace(/^It/, "it");
    for (const told of await toldOf(embedder)) expect(told?.replace(/^It/, "it")).toBe(expected);
  });

  it.each(FIELDS)("whose %s is of a wrong type is refused in the same way", async (path, { must, example }) => {
    for (const wrong of WRONG) {
      const embedder = whole();
      const [place, name] = placeOf(embedder, path);
      place[name] = wrong;
      for (const told of await toldOf(embedder)) {
        expect(told).toContain(`ts field ${path} is ${wrong === "" ? '""' : String(wrong)}: it must be ${must}`);
        expect(told).toContain(`for example ${name}: ${example}`);
      }
    }
  });

  it("that is none is refused", async () => {
    for (const wrong of [undefined, null, 7, "model"]) {
      for (const told of await toldOf(wrong)) expect(told).toContain("open() must resolve with an embedder");
    }
  });
});
