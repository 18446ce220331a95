import { expect, it } from "vitest";
import { problemOf } from "../src/library.ts";

const notFound = Object.assign(new Error("Cannot find package 'hnswlib-node' imported from x"), {
  code: "ERR_MODULE_NOT_FOUND",
});

it.each([
  [notFound, "is not installed", "npm install hnswlib-node"],
  [new Error("Could not locate the bindings file. Tried:\n → a\n → b"), "not built", "npm rebuild hnswlib-node"],
  [new Error("a.node: invalid ELF header"), "can't be loaded: a.node: invalid ELF header", "npm rebuild hnswlib-node"],
])("a graph library that is missing is told with the command that brings it: %s", (error, why, mend) => {
  expect(problemOf(error)).toEqual({
    name: "hnswlib-node",
    why: expect.stringContaining(why),
    mend: expect.stringContaining(mend),
  });
  expect(JSON.stringify(problemOf(error))).not.toContain("\\n");
});
