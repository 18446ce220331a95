import { checkModelServer } from "@loredex/openai";
import { expect, it } from "vitest";
import { FakeModelServer } from "./support/fake-model-server.ts";

it("a model server is looked for without being sent a text, and missed with the same words as when it is opened", async () => {
  const server = await FakeModelServer.start({ dimensions: 8 });
  const options = { baseUrl: server.baseUrl, model: "m" };
  await checkModelServer(options);
  expect(server.arrived.flatMap(({ input }) => input)).toEqual([]);
  await server.stop();
  await expect(checkModelServer(options)).rejects.toMatchObject({
    code: "EMBEDDER_UNAVAILABLE",
    message: expect.stringMatching(/^The model server is not to be reached: .*ECONNREFUSED/),
    mend: `start the model server at ${new URL(server.baseUrl).origin}, or give the address where it is`,
  });
  // Opened with a length, it need not be there.
  await checkModelServer({ ...options, dimensions: 8 });
  await expect(checkModelServer({ ...options, baseUrl: "somewhere" })).rejects.toThrow("baseUrl must be an address");
});
