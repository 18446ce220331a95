import { createHash } from "node:crypto";
import { explain } from "./explain.ts";
import { type FakeBot, Refusal } from "./fake-bot.ts";
import { administer } from "./fake-fleet.ts";

import type { FakeArticle } from "./library.ts";
import type { FakeAnswer, FakeRequest } from "./messages.ts";

/** The routes below `/bots/:bot`. */
export function answerBot(bot: FakeBot, path: readonly string[], asked: FakeRequest): FakeAnswer {
  const { method, body, parameters } = asked;
  const [area = "", id = "", action = ""] = path;
  switch (`${method} ${area}`) {
    case "GET usage":
      return { data: bot.usage() };
    case "GET documents":
      if (id !== "") return { data: documentOf(bot, id) };
      return listed(bot, parameters);
    case "PUT documents":
      if (action === "status") known(bot, id).status = String(body.status);
      return { data: {} };
    case "DELETE documents":
      bot.documents.delete(known(bot, id).resourceDocId);
      return { data: {} };
    case "GET articles":
      return tagged(bot.article(id));
    case "POST articles":
      return postArticle(bot, id, asked);
    case "PUT articles":
      matches(bot.article(id), asked);
      return tagged(bot.write(body, bot.article(id)));
    case "DELETE articles":
      matches(bot.article(id), asked);
      bot.articles.delete(id);
      return { data: {} };
    case "POST search":
      return { data: results(bot, body) };
    case "POST explain":
      return { data: explain(bot, String(body.query), String(body.id)) };
    case "GET vocabulary":
      return { data: bot.vocabulary };
    case "PUT vocabulary":
      bot.vocabulary = body;
      return { data: body };
    case "GET sources":
      return { data: sourcesOf(bot) };
    case "POST sources":
      return job(bot, "sync", [{ file: id, imported: 0, unchanged: 2, removed: 0, problems: [] }]);
    case "POST uploads":
      return upload(bot, asked);
    case "POST imports":
      return job(bot, "import", [
        { file: String((body.addresses as string[])[0]), imported: 1, unchanged: 0, removed: 0, problems: [] },
      ]);
    case "GET jobs":
      return { data: nextOf(bot, id) };
    case "GET golden":
      return { data: goldenOf(bot) };
    case "PUT golden":
      bot.golden = body.questions as FakeBot["golden"];
      return { data: goldenOf(bot) };
    case "GET runs":
      if (id === "") return { data: bot.runs.map(({ misses, ...summary }) => summary) };
      return { data: bot.runs.find((run) => run.id === id) };
    case "POST runs":
      return job(bot, "run", String(bot.run(body.vocabulary).id));
    case "GET gaps":
      return { data: bot.questionLog ? bot.gaps() : [] };
    case "GET questions":
      return { data: bot.questions.slice(0, Number(parameters.get("limit"))) };
    case "DELETE questions":
      bot.questions.length = 0;
      return { data: {} };
    case "GET findings":
      return { data: bot.findings };
    default:
      return administer(bot, path, asked);
  }
}

/** Golden questions in their long form, as the engine answers them. */
function goldenOf({ golden }: FakeBot): unknown {
  return {
    questions: golden.map(({ question, expected }) => ({
      question,
      expected: expected.map((each) => ({ gain: 1, lines: [], ...each })),
    })),
  };
}

function listed(bot: FakeBot, parameters: URLSearchParams): FakeAnswer {
  const { rows, total } = bot.rows(parameters);
  return { data: rows, total };
}

function documentOf(bot: FakeBot, id: string): unknown {
  const article = bot.articles.get(id);
  if (article === undefined) return known(bot, id);
  const { title, body, metadata, source, status } = article;
  return {
    ...{ resourceDocId: id, type: "EXTERNAL", status, metaData: { ...metadata, title }, content: [{ md: body }] },
    ...(source !== undefined && { url: source }),
  };
}

function known(bot: FakeBot, id: string) {
  const document = bot.documents.get(id);
  if (document === undefined) throw new Refusal(404, 20006, `There is no document with the id ${id}.`);
  return document;
}

function postArticle(bot: FakeBot, action: string, { body, parameters, headers }: FakeRequest): FakeAnswer {
  if (action === "preview") return { data: bot.preview(body) };
  const key = headers["idempotency-key"];
  return tagged(bot.write(body, undefined, typeof key === "string" ? key : undefined, parameters.has("undo")));
}

function tagged(article: FakeArticle): FakeAnswer {
  return { data: article, etag: tagOf(article) };
}

function tagOf(article: FakeArticle): string {
  return `"${createHash("sha256").update(JSON.stringify(article)).digest("hex").slice(0, 16)}"`;
}

function matches(article: FakeArticle, { headers }: FakeRequest): void {
  const wanted = headers["if-match"];
  if (wanted !== undefined && wanted !== tagOf(article)) throw new Refusal(412, 20004, "The article has changed.");
}

function results(bot: FakeBot, { query, options }: FakeRequest["body"]): unknown {
  const { topK = 10, minScore = 0 } = (options ?? {}) as { topK?: number; minScore?: number };
  return bot
    .find(String(query))
    .filter(({ score }) => score >= minScore)
    .slice(0, topK)
    .map(({ id, parts, score, type, status, metaData, url }) => ({
      ...{ resourceDocId: id, type, status, metaData, bestMatchScore: score, similarTextParts: parts, content: [] },
      ...(url !== undefined && { url }),
    }));
}

function sourcesOf(bot: FakeBot): unknown {
  const names = [...new Set([...bot.documents.values()].map(({ source }) => source))];
  return names.map((name) => ({
    name,
    documents: [...bot.documents.values()].filter(({ source }) => source === name).length,
    arguments: [{ name, kind: "folder", path: `/srv/${name}`, ids: name, importedAt: "2026-11-27T06:00:00Z" }],
  }));
}

function upload(bot: FakeBot, { parameters, bytes }: FakeRequest): FakeAnswer {
  const name = parameters.get("name") ?? "file";
  const source = parameters.get("source") ?? name;
  const problems = name.endsWith(".exe") ? [{ line: 1, message: "This kind of file cannot be read." }] : [];
  if (problems.length === 0) {
    const content = [{ md: bytes.toString("utf8") }];
    const resourceDocId = `file:${name}`;
    bot.documents.set(resourceDocId, {
      resourceDocId,
      type: "DOCUMENT",
      status: "active",
      metaData: { title: name },
      content,
      source,
    });
  }
  return job(bot, "upload", [{ file: name, imported: 1 - problems.length, unchanged: 0, removed: 0, problems }]);
}

function job(bot: FakeBot, kind: string, report: unknown): FakeAnswer {
  const begun = { id: `job-${bot.jobs.length + 1}`, kind, state: "running", startedAt: "", done: 0, total: 2, report };
  bot.jobs.push(begun);
  return { status: 202, data: { ...begun, report: undefined } };
}

/** Each question about a job brings it a step further. */
function nextOf(bot: FakeBot, id: string): unknown {
  const at = bot.jobs.findIndex((each) => each.id === id);
  const job = bot.jobs[at];
  if (job === undefined) throw new Refusal(404, 20008, "There is no such job.");
  const done = Number(job.done) + 1;
  const next = { ...job, done, state: done >= 2 ? "done" : "running" };
  bot.jobs[at] = next;
  return next.state === "done" ? next : { ...next, report: undefined };
}
