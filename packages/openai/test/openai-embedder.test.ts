import type { Embedder } from "@loredex/core";
import { type OpenAiOptions, openOpenAiEmbedder } from "@loredex/openai";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Behaviour, FakeModelServer } from "./support/fake-model-server.ts";

const DIMENSIONS = 64;
let server: FakeModelServer;
const opened: Embedder[] = [];

beforeEach(async () => {
  server = await FakeModelServer.start({ dimensions: DIMENSIONS });
});
afterEach(async () => {
  for (const embedder of opened.splice(0)) await embedder.close();
  await server.stop();
});

/** With waits that no test has to sit out. */
async function open(options: Partial<OpenAiOptions> = {}): Promise<Embedder> {
  const embedder = await openOpenAiEmbedder({
    baseUrl: server.baseUrl,
    model: "Fake/model-1",
    dimensions: DIMENSIONS,
    retryMsMin: 1,
    ...options,
  });
  opened.push(embedder);
  return embedder;
}

const texts = (count: number): string[] => Array.from({ length: count }, (_, i) => `text number${i}`);
const inputs = (): (readonly string[])[] => server.arrived.map(({ input }) => input);

/** The behaviours one after the other, then good. */
function behaveLike(...behaviours: Behaviour[]): void {
  server.behave = () => behaviours.shift() ?? "good";
}

describe("what is asked of the server", () => {
  it("is one request a batch, with key, model, prefixes and input type", async () => {
    const embedder = await open({
      apiKey: "sk-secret",
      queryPrefix: "query: ",
      passagePrefix: "passage: ",
      queryInputType: "query",
      passageInputType: "document",
      textsPerRequest: 2,
    });
    await embedder.embedPassages(["one", "two", "three"]);
    await embedder.embedQuery("four");
    expect(inputs().toSorted()).toEqual([["passage: one", "passage: two"], ["passage: three"], ["query: four"]]);
    expect(server.arrived[0]).toMatchObject({
      url: "/v1/embeddings",
      headers: { authorization: "Bearer sk-secret", "content-type": "application/json" },
      body: { model: "Fake/model-1", encoding_format: "float", dimensions: DIMENSIONS, input_type: "document" },
    });
    expect(server.arrived[2]?.body.input_type).toBe("query");
  });

  it("has nothing in it that was not given", async () => {
    const embedder = await openOpenAiEmbedder({ baseUrl: `${server.baseUrl}/`, model: "m" });
    opened.push(embedder);
    await embedder.embedPassages(["one"]);
    expect(Object.keys(server.arrived[1]?.body ?? {}).sort()).toEqual(["encoding_format", "input", "model"]);
    expect(server.arrived[1]?.headers.authorization).toBeUndefined();
  });

  it("is never an empty text", async () => {
    const embedder = await open();
    expect(await embedder.embedPassages(["", " \n"])).toHaveLength(2);
    expect(
      inputs()
        .flat()
        .every((text) => text.trim() !== ""),
    ).toBe(true);
  });

  it("is at most as much at once as was allowed, over all calls", async () => {
    const embedder = await open({ concurrency: 2, textsPerRequest: 1 });
    await Promise.all([embedder.embedPassages(texts(8)), embedder.embedPassages(texts(8))]);
    expect(server.mostAtOnce).toBeLessThanOrEqual(2);
    expect(server.arrived).toHaveLength(16);
  });
});

describe("what the embedder says of itself", () => {
  it("is the same for the same model anywhere, and another for anything that changes vectors", async () => {
    const [here, there] = [await open(), await open({ baseUrl: server.baseUrl.replace("127.0.0.1", "localhost") })];
    expect([there.id, there.version]).toEqual([here.id, here.version]);
    expect(here.id).toMatch(/^openai-fake-model-1-[0-9a-f]{8}$/);
    expect((await open({ model: "fake-model/1" })).id).not.toBe(here.id);
    const others = [
      await open({ dimensions: 32 }),
      await open({ passagePrefix: "passage: " }),
      await open({ queryPrefix: "query: " }),
      await open({ passageInputType: "passage" }),
    ];
    expect(new Set([here, ...others].map(({ version }) => version)).size).toBe(5);
  });

  it("has the length that the server gives, if none is given", async () => {
    const embedder = await openOpenAiEmbedder({ baseUrl: server.baseUrl, model: "m" });
    opened.push(embedder);
    expect(embedder.dimensions).toBe(DIMENSIONS);
    expect(embedder.calibrate).toBeUndefined();
  });

  it("needs no server at the start if the length is given, and says that it is not there if not", async () => {
    await server.stop();
    await open();
    await expect(openOpenAiEmbedder({ baseUrl: server.baseUrl, model: "m" })).rejects.toMatchObject({
      code: "EMBEDDER_UNAVAILABLE",
      message: expect.stringMatching(/^The model server is not to be reached: .*ECONNREFUSED/),
    });
    await server.resume();
  });

  it.each<[string, Partial<OpenAiOptions>, RegExp]>([
    ["an address", { baseUrl: "somewhere" }, /baseUrl must be an address/],
    ["an address of another kind", { baseUrl: "file:///etc" }, /baseUrl must be an address/],
    ["a password in the address", { baseUrl: "http://me:pw@host/v1" }, /no user name and no password/],
    ["a model", { model: " " }, /model must name/],
    ["a key", { apiKey: "two words" }, /printable ASCII/],
    ["dimensions", { dimensions: 0 }, /dimensions must be a whole number from 1 to 4096, not 0/],
    ["a batch", { textsPerRequest: 0.5 }, /textsPerRequest/],
    ["a weight", { weight: 2 }, /weight/],
  ])("refuses %s that can't be", async (_what, options, message) => {
    await expect(open(options)).rejects.toThrow(message);
  });
});

describe("a server that fails", () => {
  it.each<[string, Behaviour]>([
    ["500", { status: 500 }],
    ["503 with a page", { status: 503, body: "<html>busy</html>" }],
    ["429", { status: 429, headers: { "retry-after": "0" } }],
    ["a cut connection", "cut"],
    ["a cut answer", "half"],
    ["garbage", { status: 200, body: "{]" }],
    ["JSON of another kind", { status: 200, body: '{"vectors":[]}' }],
    ["too few vectors", { tamper: (data) => ({ data: data.slice(1) }) }],
    ["an index twice", { tamper: (data) => ({ data: data.map((entry) => ({ ...entry, index: 0 })) }) }],
    ["an index beyond", { tamper: (data) => ({ data: data.map((entry) => ({ ...entry, index: 7 })) }) }],
    ["a vector with null in it", { tamper: (data) => ({ data: data.map((e) => ({ ...e, embedding: [1, null] })) }) }],
    [
      "vectors of different lengths",
      { tamper: (data) => ({ data: data.map((e, i) => ({ ...e, embedding: [1, ...Array(i).fill(1)] })) }) },
    ],
  ])("once, by %s, is asked again", async (_name, behaviour) => {
    const embedder = await open();
    const good = await embedder.embedPassages(texts(3));
    behaveLike(behaviour);
    expect(await embedder.embedPassages(texts(3))).toEqual(good);
    expect(server.arrived).toHaveLength(3);
  });

  it("again and again, is asked as often as was said, and is then away: no text is to blame", async () => {
    const embedder = await open({ retries: 2 });
    server.behave = () => ({ status: 503, body: '{"error":{"message":"Loading\\nmodel"}}' });
    await expect(embedder.embedPassages(["one"])).rejects.toMatchObject({
      code: "EMBEDDER_UNAVAILABLE",
      message: "The model server is overloaded or away (503). It says: Loading model",
    });
    expect(server.arrived).toHaveLength(3);
    server.behave = () => "good";
    expect(await embedder.embedPassages(["one"])).toHaveLength(1);
  });

  it("for whatever it is asked, has texts that are not to blame", async () => {
    const embedder = await open({ retries: 0 });
    server.behave = () => ({ status: 500 });
    await expect(embedder.embedPassages(["one"])).rejects.toMatchObject({ code: "EMBEDDER_UNAVAILABLE" });
    server.behave = () => ({ status: 400 });
    await expect(embedder.embedPassages(["one"])).rejects.toMatchObject({
      code: "EMBEDDER_UNAVAILABLE",
      message: expect.stringContaining("It refuses any text"),
    });
  });

  it("for one text alone, has that refused and nothing else", async () => {
    const embedder = await open({ retries: 1 });
    server.behave = ({ input }) => (input.some((text) => text.includes("poison")) ? { status: 500 } : "good");
    await expect(embedder.embedPassages(["one", "poison"])).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    expect(await embedder.embedPassages(["one"])).toHaveLength(1);
  });

  it("in time is not waited for any longer", async () => {
    const embedder = await open({ timeoutMs: 30, retries: 1 });
    // A request that a busy machine has not sent by then would not be seen: its time is over as soon as the server has it.
    const timeouts: AbortController[] = [];
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      expect(ms).toBe(30);
      const controller = new AbortController();
      timeouts.push(controller);
      return controller.signal;
    });
    onTestFinished(() => timeout.mockRestore());
    server.behave = () => {
      timeouts.at(-1)?.abort(new DOMException("The time is over.", "TimeoutError"));
      return "silent";
    };
    await expect(embedder.embedPassages(["one"])).rejects.toMatchObject({
      code: "EMBEDDER_UNAVAILABLE",
      message: "The model server gave no answer within 30 ms.",
    });
    expect(server.arrived).toHaveLength(2);
  });

  it("says how long it wants to be left alone, in seconds or as a date, and is heard", async () => {
    const embedder = await open({ retryMsMin: 1 });
    behaveLike({ status: 429, headers: { "retry-after": "86400" } });
    const passing = { code: "EMBEDDER_UNAVAILABLE", lasts: false };
    await expect(embedder.embedPassages(["one"])).rejects.toMatchObject(passing);
    behaveLike({ status: 503, headers: { "retry-after": "Fri, 01 Jan 2100 00:00:00 GMT" } });
    await expect(embedder.embedPassages(["one"])).rejects.toMatchObject(passing);
    expect(server.arrived).toHaveLength(2);
    behaveLike({ status: 429, headers: { "retry-after": "0.01" } });
    expect(await embedder.embedPassages(["one"])).toHaveLength(1);
  });

  it.each([
    [401, "The model server refuses the key (401): give it the right one. It says: no such key: [the key]"],
    [403, "The model server refuses the key (403)"],
    [404, "does not know the address or the model (404): check both; the address mostly ends in /v1."],
    [301, "The model server answers 301 where vectors are expected"],
  ])("with %i is not asked again, and the message says what to do, without the key", async (status, message) => {
    const embedder = await open({ apiKey: "sk-secret" });
    server.behave = () => ({
      status,
      headers: { location: "/elsewhere" },
      body: '{"error":{"message":"no such key: sk-secret"}}',
    });
    const failure = embedder.embedPassages(["one"]).catch((error: unknown) => error);
    const told = { code: "EMBEDDER_UNAVAILABLE", lasts: true, message: expect.stringContaining(message) };
    expect(await failure).toMatchObject(told);
    expect(String(await failure)).not.toMatch(/sk-secret|\n/);
    expect(server.arrived).toHaveLength(1);
  });

  it("with vectors of another length is not asked again", async () => {
    const embedder = await open({ dimensions: 32 });
    await expect(embedder.embedPassages(["one"])).rejects.toThrow(/vectors of 64 numbers where 32 are expected/);
    expect(server.arrived).toHaveLength(1);
  });

  it("with a vector of zeros is not believed", async () => {
    const embedder = await open();
    behaveLike({
      tamper: (data) => ({ data: data.map((entry) => ({ ...entry, embedding: Array(DIMENSIONS).fill(0) })) }),
    });
    await expect(embedder.embedPassages(["one"])).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: "The model server gave a vector of zeros.",
    });
  });
});

describe("what the server takes", () => {
  it("is found out: fewer texts at once", async () => {
    const embedder = await open({ textsPerRequest: 8, concurrency: 1 });
    server.behave = ({ input }) => (input.length > 3 ? { status: 413 } : "good");
    const vectors = await embedder.embedPassages(texts(8));
    server.behave = () => "good";
    expect(vectors).toEqual(await embedder.embedPassages(texts(8)));
  });

  it.each<[string, Behaviour]>([
    ["400", { status: 400 }],
    ["a 500 that says so", { status: 500, body: '{"error":{"message":"input (992 tokens) is too large to process"}}' }],
  ])("is found out: the beginning of a text that is too long, by %s", async (_name, refusal) => {
    const embedder = await open();
    server.behave = ({ input }) => (input.some((text) => text.length > 100) ? refusal : "good");
    const long = "word ".repeat(200);
    const [short, cut] = await embedder.embedPassages(["text", long]);
    expect(short).toEqual((await embedder.embedPassages(["text"]))[0]);
    expect(cut).toEqual((await embedder.embedPassages([long.slice(0, 62)]))[0]);
  });

  it("is found out: no `dimensions`, as long as the vectors are of that length", async () => {
    const embedder = await open();
    server.behave = ({ body }) => (body.dimensions === undefined ? "good" : { status: 400 });
    expect(await embedder.embedPassages(texts(3))).toHaveLength(3);
    server.arrived.length = 0;
    expect(await embedder.embedQuery("text")).toHaveLength(DIMENSIONS);
    expect(server.arrived).toHaveLength(1);
  });

  it("does not matter for the order of its entries, or whether they are numbered", async () => {
    const embedder = await open();
    const good = await embedder.embedPassages(texts(5));
    behaveLike(
      { tamper: (data) => ({ data: data.toReversed() }) },
      { tamper: (data) => ({ data: data.map(({ embedding }) => ({ embedding })) }) },
    );
    expect(await embedder.embedPassages(texts(5))).toEqual(good);
    expect(await embedder.embedPassages(texts(5))).toEqual(good);
  });
});

describe("an abort", () => {
  it("ends a wait for the next try, and no request follows", async () => {
    const embedder = await open({ retryMsMin: 60_000 });
    server.behave = () => ({ status: 503 });
    const [abort, reason] = [new AbortController(), new Error("enough")];
    const call = embedder.embedPassages(["one"], abort.signal);
    await expect.poll(() => server.arrived.length).toBe(1);
    abort.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(server.arrived).toHaveLength(1);
  });

  it("keeps what waits for a place from being asked for", async () => {
    const embedder = await open({ concurrency: 1, textsPerRequest: 1 });
    server.behave = () => "silent";
    const [abort, reason] = [new AbortController(), new Error("enough")];
    const call = embedder.embedPassages(texts(5), abort.signal);
    await expect.poll(() => server.arrived.length).toBe(1);
    abort.abort(reason);
    await expect(call).rejects.toBe(reason);
    server.behave = () => "good";
    expect(await embedder.embedPassages(["after"])).toHaveLength(1);
    expect(inputs()).toEqual([["text number0"], ["after"]]);
  });
});

describe("questions, while the server is silent", () => {
  it("are turned away at once for a while, until something is answered again", async () => {
    const embedder = await open();
    server.behave = () => "silent";
    await expect(embedder.embedQuery("one", AbortSignal.timeout(20))).rejects.toThrow();
    const asked = server.arrived.length;
    await expect(embedder.embedQuery("two", AbortSignal.timeout(60_000))).rejects.toThrow("asked again soon");
    expect(server.arrived).toHaveLength(asked);
    server.behave = () => "good";
    await embedder.embedPassages(["a passage"]);
    expect(await embedder.embedQuery("three")).toHaveLength(DIMENSIONS);
  });

  it("are tried again after the pause", async () => {
    const embedder = await open();
    server.behave = () => "cut";
    await expect(embedder.embedQuery("one")).rejects.toMatchObject({ code: "EMBEDDER_UNAVAILABLE" });
    server.behave = () => "good";
    await expect
      .poll(() =>
        embedder.embedQuery("two").then(
          () => "answered",
          () => "refused",
        ),
      )
      .toBe("answered");
  });

  it("are not held up by one that its asker no longer wants", async () => {
    const embedder = await open();
    server.behave = () => "silent";
    const abort = new AbortController();
    const call = embedder.embedQuery("one", abort.signal);
    abort.abort(new Error("gone"));
    await expect(call).rejects.toThrow("gone");
    server.behave = () => "good";
    expect(await embedder.embedQuery("two")).toHaveLength(DIMENSIONS);
  });
});
