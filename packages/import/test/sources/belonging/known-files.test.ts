import type { OwnedDocument, SourceInfo } from "@loredex/core";
import { expect, it } from "vitest";
import { KnownFiles } from "../../../src/sources/belonging/known-files.ts";

const SOURCE: SourceInfo = {
  name: "s",
  documents: 0,
  arguments: [{ name: "a", kind: "folder", path: "/a", ids: "file:a/" }],
};

function owned(name: string): OwnedDocument {
  return { id: `file:a/${name}`, source: "s", argument: "a", path: name };
}

/** A bot whose answer to what its sources own is given when the test says so. */
function slowBot() {
  const answers: ((documents: readonly OwnedDocument[]) => void)[] = [];
  const ownedDocuments = () => new Promise<readonly OwnedDocument[]>((resolve) => void answers.push(resolve));
  return { answers, bot: { listSources: async () => [SOURCE], ownedDocuments } };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("learns once for all who wait for it", async () => {
  const { answers, bot } = slowBot();
  const known = new KnownFiles(bot);
  const all = Promise.all([known.learn(), known.learn(), known.update(new Set())]);
  await turn();
  expect(answers).toHaveLength(1);
  answers[0]?.([owned("x.md")]);
  await all;
  expect(known.of("s")).toEqual([owned("x.md")]);
  expect(known.at("/a/x.md")).toHaveLength(1);
});

it("keeps what it knew while it learns, and what imports change meanwhile", async () => {
  const { answers, bot } = slowBot();
  const known = new KnownFiles(bot);
  const first = known.learn();
  await turn();
  answers[0]?.([owned("x.md"), owned("y.md")]);
  await first;
  known.forget();
  const again = known.learn();
  await turn();
  expect(known.of("s")).toHaveLength(2);
  const before = known.of("s");
  known.change({ brought: [owned("z.md")], removed: [owned("y.md")] });
  expect(before).toEqual([owned("x.md"), owned("y.md")]);
  // The answer is older than the change of the one, and newer than that of the other.
  answers[1]?.([owned("x.md"), owned("y.md"), owned("z.md")]);
  await again;
  expect(known.of("s")).toEqual([owned("x.md"), owned("z.md")]);
  expect(known.at("/a/y.md")).toEqual([]);
  expect(known.at("/a/z.md")).toHaveLength(1);
});

it("learns again at the next time when it could not", async () => {
  let isAway = true;
  const bot = {
    listSources: async () => [SOURCE],
    ownedDocuments: async () => {
      if (isAway) throw new Error("away");
      return [owned("x.md")];
    },
  };
  const known = new KnownFiles(bot);
  await expect(known.learn()).rejects.toThrow("away");
  isAway = false;
  await known.learn();
  expect(known.of("s")).toHaveLength(1);
});
