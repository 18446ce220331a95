import { describe, expect, test } from "vitest";
import { ApiError, type Article, type ArticleChanges, type NewArticle } from "../../examples/http-client/client.mjs";
import { localFileOf } from "../../examples/sync-folder/files.mjs";
import { syncFolder, WouldEmptyError } from "../../examples/sync-folder/sync.mjs";

/** A service in memory that refuses what a test tells it to, and counts what is written. */
class FakeService {
  articles: Article[] = [];
  writes = 0;
  constructor(readonly refuse: (title: string) => ApiError | undefined = () => undefined) {}

  async listArticles() {
    return this.articles;
  }
  async createArticle(input: NewArticle) {
    this.#admit(input.title);
    const data: Article = {
      id: `id ${this.writes}`,
      status: "active",
      metadata: {},
      activeOn: [],
      createdAt: "",
      updatedAt: "",
      characterCount: 0,
      ...input,
    };
    this.articles = [...this.articles, data];
    return { message: "", data, characterUsed: 0 };
  }
  async updateArticle(id: string, { title, body, metadata }: ArticleChanges) {
    const old = this.articles.find((article) => article.id === id);
    if (old === undefined) throw new ApiError({ status: 404, message: "no such article" });
    this.#admit(title ?? old.title);
    const data = { ...old, title: title ?? old.title, body: body ?? old.body, metadata: metadata ?? {} };
    this.articles = this.articles.map((article) => (article.id === id ? data : article));
    return { message: "", data, characterUsed: 0 };
  }
  async deleteArticle(id: string) {
    this.#admit(this.articles.find((article) => article.id === id)?.title ?? "");
    this.articles = this.articles.filter((article) => article.id !== id);
    return { message: "" };
  }

  #admit(title: string) {
    const refusal = this.refuse(title);
    if (refusal !== undefined) throw refusal;
    this.writes++;
  }
}

const files = ["one", "two", "three"].map((name) => localFileOf(`${name}.md`, `Title ${name}`, `Body of ${name}`));
const local = { files, problems: [] };
const titles = (service: FakeService) => service.articles.map(({ title }) => title);

describe("sync-folder", () => {
  test("creates, does nothing, updates and removes", async () => {
    const client = new FakeService();
    const run = (some: typeof files) => syncFolder({ client, folder: "f", local: { files: some, problems: [] } });
    expect(await run(files)).toMatchObject({ created: 3, updated: 0, removed: 0, unchanged: 0, problems: [] });
    expect(await run(files)).toMatchObject({ created: 0, updated: 0, removed: 0, unchanged: 3, problems: [] });
    expect(client.writes).toBe(3);
    const changed = [localFileOf("one.md", "Title one", "New"), ...files.slice(2)];
    expect(await run(changed)).toMatchObject({ created: 0, updated: 1, removed: 1, unchanged: 1, problems: [] });
    expect(client.articles.map(({ body }) => body)).toEqual(["New", "Body of three"]);
  });

  test("names what can never fit and goes on with the rest", async () => {
    for (const status of [400, 413, 422, 429]) {
      const client = new FakeService((title) =>
        title === "Title one" ? new ApiError({ status, message: "does not fit" }) : undefined,
      );
      const outcome = await syncFolder({ client, folder: "f", local });
      expect(outcome).toMatchObject({ created: 2, problems: [{ path: "one.md", message: `${status}: does not fit` }] });
      expect(titles(client)).toEqual(["Title two", "Title three"]);
    }
  });

  test("stops where going on makes no sense", async () => {
    for (const error of [
      new ApiError({ status: 401, message: "no key" }),
      new ApiError({ status: 500, message: "broken" }),
      // Waited for long enough: the client has given up.
      new ApiError({ status: 429, message: "later", retryAfterSeconds: 1 }),
    ]) {
      const client = new FakeService((title) => (title === "Title two" ? error : undefined));
      await expect(syncFolder({ client, folder: "f", local })).rejects.toBe(error);
      expect(titles(client)).toEqual(["Title one"]);
      const rest = await syncFolder({
        client: Object.assign(new FakeService(), { articles: client.articles }),
        folder: "f",
        local,
      });
      expect(rest).toMatchObject({ created: 2, unchanged: 1 });
    }
  });

  test("a dry run changes nothing and tells the same", async () => {
    const client = new FakeService();
    const said: string[] = [];
    const onAction = (action: string, path: string) => said.push(`${action} ${path}`);
    expect(await syncFolder({ client, folder: "f", local, dryRun: true, onAction })).toMatchObject({ created: 3 });
    expect(said).toEqual(["create one.md", "create two.md", "create three.md"]);
    expect(client.writes).toBe(0);
  });

  test("an empty folder removes all only when told to", async () => {
    const client = new FakeService();
    await syncFolder({ client, folder: "f", local });
    const empty = { client, folder: "f", local: { files: [], problems: [] } };
    await expect(syncFolder(empty)).rejects.toBeInstanceOf(WouldEmptyError);
    expect(client.articles).toHaveLength(3);
    expect(await syncFolder({ ...empty, allowEmpty: true })).toMatchObject({ removed: 3 });
    expect(client.articles).toEqual([]);
  });

  test("two folders with names of their own share a bot", async () => {
    const client = new FakeService();
    await syncFolder({ client, folder: "f", local });
    await syncFolder({ client, folder: "g", local });
    await syncFolder({ client, folder: "f", local: { files: [], problems: [] }, allowEmpty: true });
    expect(client.articles.map(({ metadata }) => metadata.folder)).toEqual(["g", "g", "g"]);
  });
});
