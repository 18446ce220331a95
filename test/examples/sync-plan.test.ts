import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Metadata } from "../../examples/http-client/client.mjs";
import { localFileOf } from "../../examples/sync-folder/files.mjs";
import { type LocalFile, metadataOf, ownArticles, type Plan, planSync } from "../../examples/sync-folder/plan.mjs";

interface RemoteArticle {
  id: string;
  title: string;
  body: string;
  metadata: Metadata;
}

const FOLDER = "guide";
// Few paths and few texts, so that both sides often speak of the same file with the same content.
const pathArbitrary = fc.constantFrom("a.md", "b.md", "c/a.md", "c/b.md", "__proto__", "constructor");
const textArbitrary = fc.constantFrom("one", "two", "three");
const fileArbitrary = fc
  .tuple(pathArbitrary, textArbitrary, textArbitrary)
  .map(([path, title, body]) => localFileOf(path, title, body));
const filesArbitrary = fc.uniqueArray(fileArbitrary, { selector: ({ path }) => path });

/** An article of an earlier run (perhaps edited by hand since), of another folder, or of somebody else. */
const articleArbitrary = fc.oneof(
  fc
    .tuple(fileArbitrary, fc.constantFrom(FOLDER, FOLDER, FOLDER, "another folder"), fc.option(textArbitrary))
    .map(([file, folder, edited]) => ({
      title: file.title,
      body: edited ?? file.body,
      metadata: metadataOf(folder, file),
    })),
  fc.record({
    title: textArbitrary,
    body: textArbitrary,
    metadata: fc.constantFrom<Metadata>(
      {},
      { externalId: "a.md", folder: FOLDER },
      { managedBy: "me", folder: FOLDER, externalId: "a.md" },
      { managedBy: "sync-folder", folder: FOLDER, externalId: 1 },
    ),
  }),
);
const articlesArbitrary = fc
  .array(articleArbitrary, { maxLength: 12 })
  .map((articles) => articles.map((article, index) => ({ id: `article ${index}`, ...article })));

/** The service, as far as a plan can tell: a list that keeps its order. */
function apply(plan: Plan, articles: readonly RemoteArticle[]): RemoteArticle[] {
  const removed = new Set(plan.remove.map(({ id }) => id));
  const updates = new Map(plan.update.map(({ id, file }) => [id, file]));
  const remote = ({ title, body, ...file }: LocalFile) => ({
    title,
    body,
    metadata: metadataOf(FOLDER, { title, body, ...file }),
  });
  const kept = articles
    .filter(({ id }) => !removed.has(id))
    .map((article) => {
      const file = updates.get(article.id);
      return file === undefined ? article : { id: article.id, ...remote(file) };
    });
  return [...kept, ...plan.create.map((file, index) => ({ id: `new ${index}`, ...remote(file) }))];
}

/** What the folder's articles say, as the files that they came from. */
function contents(articles: readonly RemoteArticle[]): LocalFile[] {
  const own = [...ownArticles(FOLDER, articles)];
  return own.flatMap(([path, copies]) => copies.map(({ title, body }) => localFileOf(path, title, body))).sort(byPath);
}

const byPath = (a: LocalFile, b: LocalFile) => (a.path < b.path ? -1 : 1);
/** Said here once more, in other words than the plan's own: what it must keep its hands off. */
const strangers = (articles: readonly RemoteArticle[]) =>
  articles.filter(
    ({ metadata }) =>
      !(metadata.managedBy === "sync-folder" && metadata.folder === FOLDER && typeof metadata.externalId === "string"),
  );

describe("the plan of sync-folder", () => {
  test("makes both sides equal, and then there is nothing left to do", () => {
    fc.assert(
      fc.property(filesArbitrary, articlesArbitrary, (files, articles) => {
        const after = apply(planSync({ folder: FOLDER, files, articles }), articles);
        expect(contents(after)).toEqual([...files].sort(byPath));
        const second = planSync({ folder: FOLDER, files, articles: after });
        expect([second.create, second.update, second.remove]).toEqual([[], [], []]);
        expect(second.unchanged).toHaveLength(files.length);
      }),
      { numRuns: 1_000 },
    );
  });

  test("never touches an article that it did not make", () => {
    fc.assert(
      fc.property(filesArbitrary, articlesArbitrary, (files, articles) => {
        const after = apply(planSync({ folder: FOLDER, files, articles }), articles);
        expect(strangers(after)).toEqual(strangers(articles));
      }),
    );
  });

  test("uploads nothing for a file whose article says the same", () => {
    fc.assert(
      fc.property(filesArbitrary, articlesArbitrary, (files, articles) => {
        const plan = planSync({ folder: FOLDER, files, articles });
        const own = ownArticles(FOLDER, articles);
        const uploaded = new Set([...plan.create, ...plan.update.map(({ file }) => file)]);
        for (const file of files) {
          const article = own.get(file.path)?.[0];
          const same =
            article?.title === file.title &&
            article.body === file.body &&
            article.metadata.contentHash === file.contentHash;
          expect(uploaded.has(file)).toBe(!same);
        }
        expect(plan.create.length + plan.update.length + plan.unchanged.length).toBe(files.length);
      }),
    );
  });

  test("keeps the oldest of two articles for one file, under its id", () => {
    const file = localFileOf("a.md", "Title", "text");
    const article = { title: file.title, body: file.body, metadata: metadataOf(FOLDER, file) };
    const articles = [
      { id: "older", ...article },
      { id: "newer", ...article },
    ];
    expect(planSync({ folder: FOLDER, files: [file], articles })).toEqual({
      create: [],
      update: [],
      remove: [{ id: "newer", path: "a.md" }],
      unchanged: ["a.md"],
    });
  });

  test("leaves the article of a file that is there but cannot be read", () => {
    const file = localFileOf("a.md", "Title", "text");
    const articles = [{ id: "1", title: "Title", body: "text", metadata: metadataOf(FOLDER, file) }];
    const plan = planSync({ folder: FOLDER, files: [], unreadable: new Set(["a.md"]), articles });
    expect(plan).toEqual({ create: [], update: [], remove: [], unchanged: [] });
  });
});
