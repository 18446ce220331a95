import { expect, it } from "vitest";
import type { Engine } from "../../src/engine.ts";
import { contentTag } from "../../src/index.ts";
import { codeOf, openNodes } from "../nodes/nodes.ts";

/** Vocabularies and golden questions that are replaced on a condition. */

interface Kept {
  /** The texts that are kept, and the tag of all of them. */
  read(engine: Engine): Promise<{ readonly texts: readonly string[]; readonly tag: string }>;
  write(engine: Engine, texts: readonly string[], ifMatch?: string): Promise<string>;
}

const options = (ifMatch: string | undefined) => (ifMatch === undefined ? {} : { ifMatch });

const KINDS: Readonly<Record<string, Kept>> = {
  vocabulary: {
    read: async (engine) => {
      const vocabulary = await (await engine.bot("shop")).getVocabulary();
      return { texts: vocabulary.ignored, tag: contentTag(vocabulary) };
    },
    write: async (engine, ignored, ifMatch) =>
      contentTag(await (await engine.bot("shop")).setVocabulary({ ignored }, options(ifMatch))),
  },
  "golden questions": {
    read: async (engine) => {
      const golden = await (await engine.insights("shop")).golden();
      return { texts: golden.map(({ question }) => question), tag: contentTag(golden) };
    },
    write: async (engine, questions, ifMatch) => {
      const golden = questions.map((question) => ({ question, id: "1" }));
      return contentTag(await (await engine.insights("shop")).setGolden(golden, options(ifMatch)));
    },
  },
};

it.each(Object.entries(KINDS))("%s are replaced only as they were read", async (_, { read, write }) => {
  const { nodes } = await openNodes();
  const [engine, other] = nodes;
  await engine.createBot({ name: "shop" });
  const none = await read(engine);
  const first = await write(engine, ["please"], none.tag);
  expect(await read(other)).toEqual({ texts: ["please"], tag: first });
  expect(await codeOf(write(other, ["kindly"], none.tag))).toBe("CONTENT_CHANGED");
  // A weak tag does not say that all is the same.
  expect(await codeOf(write(engine, ["kindly"], `W/${first}`))).toBe("CONTENT_CHANGED");
  expect(await codeOf(write(engine, ["kindly"], "no tag"))).toBe("VALIDATION");
  expect((await read(engine)).texts).toEqual(["please"]);
  await write(other, ["kindly"], `"x", ${first}`);
  await write(engine, ["thanks"], "*");
  await write(other, ["hello"]);
  expect((await read(engine)).texts).toEqual(["hello"]);
});

it.each(Object.entries(KINDS))("editors of %s lose nothing, on one node and on three", async (_, { read, write }) => {
  const { nodes } = await openNodes();
  await nodes[0].createBot({ name: "shop" });
  let refused = 0;
  const adds = async (engine: Engine, text: string): Promise<void> => {
    for (;;) {
      const { texts, tag } = await read(engine);
      const code = await codeOf(write(engine, [...texts, text], tag));
      if (code === undefined) return;
      expect(code).toBe("CONTENT_CHANGED");
      refused += 1;
    }
  };
  const editors = ["a", "b", "c", "d", "e", "f"].map((text, at) => adds(nodes[at % 3] ?? nodes[0], text));
  await Promise.all(editors);
  expect([...(await read(nodes[0])).texts].sort()).toEqual(["a", "b", "c", "d", "e", "f"]);
  expect(refused).toBeGreaterThan(0);
});
