import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { LoredexClient } from "../src/index.ts";

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
