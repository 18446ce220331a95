import { expect, it } from "vitest";
import { problemOf } from "../../../src/index/vectors/hnswlib.ts";
import { missingGraph } from "../../../src/model/missing.ts";

const notFound = Object.assign(new Error("Cannot find package 'hnswlib-node' imported from x"), {
  code: "ERR_MODULE_NOT_FOUND",
});

it.each([
  [notFound, "is not installed", "npm install hnswlib-node"],
  [new Error("Could not locate the bindings file. Tried:\n → a\n → b"), "not built", "npm rebuild hnswlib-node"],
  [new Error("a.node: invalid ELF header"), "can't be loaded: a.node: invalid ELF header", "npm rebuild hnswlib-node"],
])("a graph library that is missing is told with the command that brings it: %s", (error, why, mend) => {
  const { story } = missingGraph(problemOf(error));
  expect(story).toContain(why);
  expect(story).toContain(`To mend it: ${mend}`);
  expect(story).not.toContain("\n");
});
