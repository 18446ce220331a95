import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { LoredexAdmin, LoredexClient } from "../src/index.ts";
import { thrownBy } from "./service.ts";

/** A service that answers to searches when it is told. */
function serviceOf(answered: Promise<unknown>): LoredexClient {
  const fetch = async (): Promise<Response> => {
    await answered;
    return Response.json([]);
  };
  return new LoredexClient({ baseUrl: "http://service.test", key: "key", fetch });
}

it("has one listener on a signal, however many calls share it", async () => {
  let answer: () => void = () => undefined;
  const client = serviceOf(new Promise<void>((resolve) => (answer = resolve)));
  const { signal } = new AbortController();
  const calls = Array.from({ length: 40 }, () => client.search("harbour", { signal }));
  await Promise.resolve();
  expect(getEventListeners(signal, "abort").length).toBe(1);
  answer();
  expect((await Promise.all(calls)).flat()).toEqual([]);
  expect(getEventListeners(signal, "abort").length).toBe(0);
});

it("names a signal that is none", async () => {
  const client = serviceOf(Promise.resolve());
  for (const wrong of ["x", 1, null, {}]) {
    // Boundary: programs without types give anything.
    const options = { signal: wrong as unknown as AbortSignal };
    const calls = [
      client.search("harbour", options),
      client.getArticle("id", options),
      client.waitUntilActive("id", options),
      client.sync([], { by: "id", ...options }),
    ];
    for (const each of await Promise.allSettled(calls)) {
      expect(each).toMatchObject({
        status: "rejected",
        reason: { message: expect.stringMatching(/signal must be an AbortSignal/) },
      });
    }
  }
});

/** A backup of two pieces, the second of which comes when it is told. */
function backupOf(comes: Promise<unknown>): { readonly admin: LoredexAdmin } {
  const fetch = async (_url: unknown, { signal }: RequestInit = {}): Promise<Response> => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        signal?.addEventListener("abort", () => controller.error(signal.reason));
        controller.enqueue(Buffer.from("one"));
        void comes.then(() => {
          controller.enqueue(Buffer.from("two"));
          controller.close();
        });
      },
    });
    return new Response(body);
  };
  return {
    admin: new LoredexAdmin({ baseUrl: "http://service.test", key: "key", fetch: fetch as typeof globalThis.fetch }),
  };
}

it("keeps the signal of a stream in force to its end, and no longer", async () => {
  const { signal } = new AbortController();
  const backup = await backupOf(Promise.resolve()).admin.backUp("shop", { signal });
  expect(getEventListeners(signal, "abort").length).toBe(1);
  expect(await new Response(backup).text()).toBe("onetwo");
  expect(getEventListeners(signal, "abort").length).toBe(0);

  const cancelled = await backupOf(new Promise(() => undefined)).admin.backUp("shop", { signal });
  await cancelled.cancel();
  expect(getEventListeners(signal, "abort").length).toBe(0);

  const stop = new AbortController();
  const { admin } = backupOf(new Promise(() => undefined));
  const aborted = await admin.backUp("shop", { signal: stop.signal });
  const reader = aborted.getReader();
  expect((await reader.read()).value?.toString()).toBe(Buffer.from("one").toString());
  const why = new Error("enough");
  stop.abort(why);
  expect(await thrownBy(reader.read())).toBe(why);
});

it("refuses a stream as it refuses any other answer", async () => {
  const bad = Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  const answers: readonly (() => Promise<Response>)[] = [
    async () => Promise.reject(new TypeError("fetch failed", { cause: bad })),
    async () => new Response("x".repeat(5_000), { status: 502 }),
  ];
  const [untrusted, long] = await Promise.all(
    answers.map((fetch) => {
      const admin = new LoredexAdmin({ baseUrl: "http://service.test", key: "key", answerBytesMax: 1_000, fetch });
      return thrownBy(admin.backUp("shop"));
    }),
  );
  expect(String(untrusted)).toContain("NODE_EXTRA_CA_CERTS");
  expect(long).toMatchObject({ isTooLong: true });
  const known = new LoredexAdmin({ baseUrl: "http://service.test", key: "key" });
  expect(await thrownBy(known.listGaps("shop", { before: 1 } as never))).toBeInstanceOf(TypeError);
});
