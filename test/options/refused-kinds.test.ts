import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ValidationError } from "@loredex/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeStage, errorOf, madeWith, openStage, type Stage } from "./calls.ts";
import { ALSO_TAKEN, triedShape, uncheckedFor } from "./exceptions.ts";
import { publicCalls, SAMPLES, type Sample, type Shape } from "./signatures.ts";

const checked = publicCalls().filter((call) => uncheckedFor(call) === undefined);
const parameters = checked.flatMap((call) => call.parameters.map((parameter) => ({ call, ...parameter })));
const directory = await mkdtemp(join(tmpdir(), "refused-kinds-"));
let stage: Stage;

beforeAll(async () => {
  stage = await openStage(directory);
});

afterAll(async () => {
  await closeStage(stage);
  await rm(directory, { recursive: true });
});

/** A value of a kind that the type does not take, somewhere in what is given for a parameter. */
interface Wrong {
  readonly given: unknown;
  /** The name of the parameter or of the option that it is given for. */
  readonly name: string;
  readonly what: string;
}

function wrongFor(name: string, shape: Shape): Wrong[] {
  const { takes, names = {}, elements, values } = shape;
  const isTried = ([sample]: [string, unknown]): boolean => !takes.has(sample as Sample) && !isLeftOut(sample, shape);
  const samples = Object.entries(SAMPLES).filter(isTried);
  const within = (inside: Wrong[], wrap: (given: unknown) => unknown): Wrong[] =>
    inside.map((each) => ({ ...each, given: wrap(each.given), what: `${name} > ${each.what}` }));
  return [
    ...samples.map(([what, given]) => ({ given, name, what: `${name}: ${what}` })),
    ...(takes.has("number") && !takes.has("object") ? [{ given: Number.NaN, name, what: `${name}: NaN` }] : []),
    ...Object.entries(names).flatMap(([inner, each]) => within(wrongFor(inner, each), (given) => ({ [inner]: given }))),
    ...(elements === undefined ? [] : within(wrongFor(name, elements), (given) => [given])),
    ...(values === undefined ? [] : within(wrongFor(name, values), (given) => ({ type: given }))),
  ];
}

/** Options of which none must be given may be left out as a whole; where one must be given, the refusal names that one. */
function isLeftOut(sample: string, { takes, names }: Shape): boolean {
  return sample === "undefined" ? takes.has("object") : sample === "object" && names !== undefined;
}

/** What is wrong with a refusal; undefined if it is an error of ours that names what was given, and what is expected. */
function unclear(error: unknown, id: string, name: string): string | undefined {
  if (!(error instanceof Error)) return String(error);
  const isOfClient = id.startsWith("client ") || id.startsWith("mcp ");
  const isOurs = isOfClient ? error instanceof TypeError && !("code" in error) : error instanceof ValidationError;
  // An operator hands over to an engine, whose parameters have names of their own.
  const named = id.startsWith("loredex Operator#") ? "\\w+" : name;
  const isClear = new RegExp(`\\b${named}(\\.\\w+)* (must|needs|is required)\\b`).test(error.message);
  return isOurs && isClear ? undefined : `${error.name}: ${error.message}`;
}

describe("every parameter of every public function, and every option in it", () => {
  it.each(parameters)("$id refuses what is of another kind", async ({ call, ...parameter }) => {
    const { id, name } = parameter;
    const taken = ALSO_TAKEN[id] ?? [];
    const found: string[] = [];
    for (const wrong of wrongFor(name, triedShape(parameter))) {
      if (taken.includes(wrong.given)) continue;
      const error = await errorOf(() => madeWith(call, id, wrong.given, stage));
      const problem = unclear(error, id, wrong.name);
      if (problem !== undefined) found.push(`${wrong.what}: ${problem}`);
    }
    expect(found.join("\n")).toBe("");
  });
});
