import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Engine } from "@loredex/core";
import { createApiServer } from "@loredex/http";
import { expect, it, onTestFinished } from "vitest";
import { OPENAPI_DOCUMENT } from "../../packages/http/src/openapi/document.ts";
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
const HEAP_BYTES_MORE_MAX = 64 * 1_048_576;
/** What it found when its requests did not get through: an answer to nearly all of them. */
const ANSWERED_MIN = 0.2;

setFlagsFromString("--expose-gc");
const collectGarbage: unknown = runInNewContext("gc");

function heapBytes(): number {
  if (typeof collectGarbage === "function") collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** A cursor of a list is accepted only with the `sort` that it was made for, which no schema says. Tests of their own try them. */
const CURSOR = "after";

/**
 * Both ways of sending a key are tried by tests of their own. Here each request would have one that is made up beside the right one, and nearly
 * all would be a 401.
 */
function documentWithOneKey(): string {
  const { securitySchemes } = OPENAPI_DOCUMENT.components;
  const components = { ...OPENAPI_DOCUMENT.components, securitySchemes: { key: securitySchemes.key } };
  // Admin keys open nothing on a server without a console. Its operations are tried in packages/http/test/admin and packages/loredex/test/admin.
  const paths = Object.fromEntries(
    Object.entries(OPENAPI_DOCUMENT.paths).filter(([path]) => !path.includes("/admin/")),
  );
  return JSON.stringify({ ...OPENAPI_DOCUMENT, paths, security: [{ key: [] }], components }, (_, value) =>
    Array.isArray(value) ? value.filter((each) => !(each?.name === CURSOR && each.in === "query")) : value,
  );
}

it.skipIf(schemathesis.isMissing)(
  schemathesis.named(`${REQUESTS} requests of every kind get no answer that is not described, and no 5xx`),
  async ({ signal }) => {
    const folder = await mkdtemp(join(tmpdir(), "loredex-fuzzed-"));
    const engine = await Engine.open({ embedders: {} });
    const { key } = await engine.createBot({
      name: "fuzzed",
      quotaCharacters: QUOTA_CHARACTERS,
      rateCharactersPerMinute: PLENTY,
    });
    const byStatus = new Map<number, number>();
    let requests = 0;
    const faults: unknown[] = [];
    const api = createApiServer(engine, {
      logger: (event) => {
        if (event.level === "error") faults.push(event);
        if (event.event !== "request") return;
        requests++;
        byStatus.set(event.status, (byStatus.get(event.status) ?? 0) + 1);
      },
    });
    onTestFinished(async () => {
      await api.close();
      await engine.close();
      await rm(folder, { recursive: true });
    });
    const { url } = await api.listen({ port: 0, host: "127.0.0.1" });
    const document = join(folder, "openapi.json");
    await writeFile(document, documentWithOneKey());

    // It makes requests of headers that do not fit their own pattern, and takes them for good ones, where it goes through the document's corners.
    const corners = ["--phases", "examples,coverage", "--exclude-checks", "positive_data_acceptance"];
    expect(await findingsOf({ document, url, key, seed: 1, options: corners, signal })).toBeUndefined();
    const first = heapBytes();
    for (let seed = 2; requests < REQUESTS; seed++) {
      const options = ["--phases", "fuzzing,stateful", "--max-examples", String(EXAMPLES)];
      expect(await findingsOf({ document, url, key, seed, options, signal })).toBeUndefined();
      console.log(`${requests} of ${REQUESTS} requests`);
    }
    count("requests made up by Schemathesis, each answer held against the OpenAPI document", requests);
    const counts = Object.fromEntries([...byStatus].sort(([one], [other]) => one - other));
    console.log(`${requests} requests, by status: ${JSON.stringify(counts)}; heap ${first} to ${heapBytes()} bytes`);
    expect(faults).toEqual([]);
    expect([...byStatus.keys()].filter((status) => status >= 500)).toEqual([]);
    expect((byStatus.get(200) ?? 0) / requests).toBeGreaterThan(ANSWERED_MIN);
    expect(heapBytes() - first).toBeLessThan(HEAP_BYTES_MORE_MAX);
  },
  Math.max(3_600_000, REQUESTS * REQUEST_MS_MAX),
);
