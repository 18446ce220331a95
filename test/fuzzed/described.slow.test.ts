import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Engine } from "@loredex/core";
import { type ApiAdmin, createApiServer } from "@loredex/http";
import { expect, it, onTestFinished } from "vitest";
import { OPENAPI_DOCUMENT } from "../../packages/http/src/openapi/document.ts";
import { adminOf } from "../http/service.ts";
import { count } from "../support/counts.ts";
import { optionalPart } from "../support/optional-part.ts";
import { findingsOf, whyNoSchemathesis } from "./schemathesis.ts";

const schemathesis = optionalPart("Schemathesis", whyNoSchemathesis());

/** `TESTS_FUZZED` asks for another number. */
const REQUESTS = Number(process.env.TESTS_FUZZED ?? (process.env.TESTS_SHORT === "1" ? 2_000 : 100_000));
/** Of each operation in one round; so that memory can be looked at between rounds. */
const EXAMPLES = REQUESTS <= 5_000 ? 40 : 500;
/** A bot holds little, so that what its articles take does not hide what is not given back. */
const QUOTA_CHARACTERS = 200_000;
/** Thirteen requests were made in a second on a quiet machine: one that is busy gets four times as long. */
const REQUEST_MS_MAX = 300;
const PLENTY = 1_000_000_000;
const SETTINGS = { name: "fuzzed", quotaCharacters: QUOTA_CHARACTERS, rateCharactersPerMinute: PLENTY };
const HEAP_BYTES_MORE_MAX = 64 * 1_048_576;

setFlagsFromString("--expose-gc");
const collectGarbage: unknown = runInNewContext("gc");

function heapBytes(): number {
  if (typeof collectGarbage === "function") collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** A cursor of a list is accepted only with the `sort` that it was made for, which no schema says. Tests of their own try them. */
const CURSOR = "after";

function documentWithOneKey(isTried: (path: string, method: string) => boolean, bot?: string): string {
  const { securitySchemes } = OPENAPI_DOCUMENT.components;
  const components = { ...OPENAPI_DOCUMENT.components, securitySchemes: { key: securitySchemes.key } };
  const paths = Object.fromEntries(
    Object.entries(OPENAPI_DOCUMENT.paths).flatMap(([path, methods]) => {
      const tried = Object.entries(methods).filter(([method]) => isTried(path, method));
      return tried.some(([method]) => method !== "parameters") ? [[path, Object.fromEntries(tried)] as const] : [];
    }),
  );
  return JSON.stringify({ ...OPENAPI_DOCUMENT, paths, security: [{ key: [] }], components }, (name, value) => {
    if (name === "security" && value.length > 0) return [{ key: [] }];
    if (bot !== undefined && value?.name === "bot" && value.in === "path") return { ...value, schema: { enum: [bot] } };
    return Array.isArray(value) ? value.filter((each) => !(each?.name === CURSOR && each.in === "query")) : value;
  });
}

const isAdmin = (path: string): boolean => path.includes("/admin/");

/**
 * Operations of the admin API that are left to tests of their own: a session needs a cookie, events have no end, and addresses would be asked for
 * over the network.
 */
const LEFT_OUT = /^(?:\w+ \S*\/(?:session|events)|post \S*\/imports)$/;

/** The two parts of the description. `answeredMin`: a lower share of 200 would mean that requests did not get through. Most ids of the admin API are made up. */
const PARTS = {
  "the API": {
    isTried: (path: string) => !isAdmin(path),
    requests: REQUESTS,
    rounds: "fuzzing,stateful",
    answeredMin: 0.2,
  },
  "the admin API": {
    isTried: (path: string, method: string) => isAdmin(path) && !LEFT_OUT.test(`${method} ${path}`),
    requests: REQUESTS / 20,
    rounds: "fuzzing",
    answeredMin: 0.1,
  },
} as const;

it.skipIf(schemathesis.isMissing).for(Object.entries(PARTS))(
  schemathesis.named(`${REQUESTS} requests of every kind get no answer that is not described, and no 5xx: %s`),
  { timeout: Math.max(3_600_000, REQUESTS * REQUEST_MS_MAX) },
  async ([name, { isTried, requests: most, rounds, answeredMin }], { signal }) => {
    const folder = await mkdtemp(join(tmpdir(), "loredex-fuzzed-"));
    const engine = await Engine.open({ embedders: {} });
    const created = await engine.createBot(SETTINGS);
    const neighbour = await neighbourOf(engine);
    const isOfAdmin = name === "the admin API";
    const backend = isOfAdmin ? adminOf(engine) : undefined;
    // It may write, and it may see one bot.
    const key = isOfAdmin ? await engine.administration.addKey("fuzzer", { bots: [created.bot.id] }) : created.key;
    const byStatus = new Map<number, number>();
    let requests = 0;
    const faults: unknown[] = [];
    const api = createApiServer(engine, {
      ...(backend === undefined ? {} : { admin: withBotKept(backend.admin) }),
      logger: (event) => {
        if (event.level === "error") faults.push(event);
        if (event.event !== "request") return;
        requests++;
        byStatus.set(event.status, (byStatus.get(event.status) ?? 0) + 1);
      },
    });
    onTestFinished(async () => {
      await api.close();
      await backend?.close();
      await engine.close();
      await rm(folder, { recursive: true });
    });
    const { url } = await api.listen({ port: 0, host: "127.0.0.1" });
    const document = join(folder, "openapi.json");
    await writeFile(document, documentWithOneKey(isTried, isOfAdmin ? created.bot.id : undefined));

    // It makes requests of headers that do not fit their own pattern, and takes them for good ones, where it goes through the document's corners.
    const corners = ["--phases", "examples,coverage", "--exclude-checks", "positive_data_acceptance"];
    expect(await findingsOf({ document, url, key, seed: 1, options: corners, signal })).toBeUndefined();
    const first = heapBytes();
    for (let seed = 2; requests < most; seed++) {
      const options = ["--phases", rounds, "--max-examples", String(EXAMPLES)];
      expect(await findingsOf({ document, url, key, seed, options, signal })).toBeUndefined();
      console.log(`${requests} of ${most} requests`);
    }
    count("requests made up by Schemathesis, each answer held against the OpenAPI document", requests);
    const counts = Object.fromEntries([...byStatus].sort(([one], [other]) => one - other));
    console.log(`${requests} requests, by status: ${JSON.stringify(counts)}; heap ${first} to ${heapBytes()} bytes`);
    expect(faults).toEqual([]);
    expect(await neighbour.state()).toBe(neighbour.before);
    expect([...byStatus.keys()].filter((status) => status >= 500)).toEqual([]);
    expect((byStatus.get(200) ?? 0) / requests).toBeGreaterThan(answeredMin);
    expect(heapBytes() - first).toBeLessThan(HEAP_BYTES_MORE_MAX);
  },
);

/** The bot is removed and changed again and again, and stays as it is: under another name, or without a quota, it would answer nothing any more. */
function withBotKept(admin: ApiAdmin): ApiAdmin {
  const setBot: ApiAdmin["operator"]["setBot"] = async (bot, changes) => {
    await admin.operator.setBot(bot, changes);
    return admin.operator.setBot(bot, SETTINGS);
  };
  return { ...admin, operator: { ...admin.operator, setBot, removeBot: async () => undefined } };
}

/** Another bot, which no request may change. */
async function neighbourOf(engine: Engine) {
  const { bot } = await engine.createBot({ name: "neighbour" });
  const opened = await engine.bot(bot.id);
  await opened.createArticle({ title: "Refunds", body: "A refund takes three days." });
  await opened.whenSearchable();
  const state = async (): Promise<string> => {
    const [articles, vocabulary] = [await opened.listArticles(), await opened.getVocabulary()];
    const golden = await (await engine.insights(bot.id)).golden();
    return JSON.stringify([opened.info(), engine.listKeys(bot.id), articles, vocabulary, golden]);
  };
  return { state, before: await state() };
}
