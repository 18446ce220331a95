import { describe, expect, it } from "vitest";
import { openGraphs } from "../../../src/index/vectors/graphs.ts";
import type { GraphBackend, NoGraphs } from "../../../src/index/vectors/vector-graph.ts";

const notFound = (name: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from here`), { code: "ERR_MODULE_NOT_FOUND" });
const failing = (error: Error) => async (): Promise<never> => {
  throw error;
};
const backendWith = (opened: NoGraphs): GraphBackend => ({ open: async () => opened });

/** Why there are no graphs. */
async function missingOf(...asked: Parameters<typeof openGraphs>): Promise<unknown> {
  const graphs = await openGraphs(...asked);
  return "missing" in graphs ? graphs.missing : "opened";
}

describe("a graph backend", () => {
  it("that is built in is always there", async () => {
    expect(await missingOf("built-in", undefined, failing(notFound("x")))).toBe("opened");
  });

  it("is told with the command that brings it where its package is not installed", async () => {
    expect(await missingOf("hnswlib", undefined, failing(notFound("@loredex/hnswlib")))).toEqual({
      name: "@loredex/hnswlib",
      why: "@loredex/hnswlib is not installed",
      mend: expect.stringMatching(/^npm install @loredex\/hnswlib /),
      instead: "scan",
      story: expect.stringMatching(/takes longer .*: @loredex\/hnswlib is not installed\. To mend it: npm install /),
    });
  });

  it("is not called uninstalled where its package lacks something else, or is broken", async () => {
    for (const error of [notFound("other"), new Error("broken\nat line 1"), notFound("@loredex/hnswlib-more")]) {
      const missing = await missingOf("hnswlib", undefined, failing(error));
      const [line] = error.message.split("\n");
      expect(missing).toMatchObject({ why: `the graph backend @loredex/hnswlib can't be used: ${line}` });
      expect(missing).not.toHaveProperty("mend");
    }
  });

  it("tells itself what it lacks", async () => {
    const hnswlib = () =>
      backendWith({ missing: { name: "addon", why: "it was not built", mend: "npm rebuild addon" } });
    const told = { name: "addon", why: "it was not built", mend: "npm rebuild addon" };
    expect(await missingOf("hnswlib", undefined, async () => ({ hnswlib }))).toMatchObject(told);
    const missing = await missingOf(backendWith({ missing: { name: "gpu", why: "there is none" } }), undefined);
    expect(missing).toMatchObject({ name: "gpu", why: "there is none" });
    expect(missing).not.toHaveProperty("mend");
  });

  it("of a program's own is given the place for its files, and may fail", async () => {
    const given: unknown[] = [];
    const own: GraphBackend = {
      open: async (asked) => {
        given.push(asked);
        const empty = (): never => expect.fail("nothing is built here");
        return { areKept: true, effort: () => 1, empty, load: async () => undefined };
      },
    };
    expect(await missingOf(own, "/tmp/graphs")).toBe("opened");
    expect(given).toEqual([{ temporaryDirectory: "/tmp/graphs" }]);
    const failed = await missingOf({ open: failing(new Error("no licence")) }, undefined);
    expect(failed).toMatchObject({ name: "graph", why: "the graph backend can't be used: no licence" });
  });
});
