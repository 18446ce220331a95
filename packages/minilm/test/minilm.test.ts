import { cp } from "node:fs/promises";
import { join } from "node:path";
import { openEncoder, startEncoderWorker } from "@loredex/encoder";
import { describe, expect, it } from "vitest";
import { encoder, inTemporaryDirectory } from "../../encoder/test/runtime.ts";
import { MINILM, openMiniLm } from "../src/minilm.ts";
import { SMALL_TALK_AXIS_OF } from "../src/small-talk-axis.ts";

describe("the English embedder", () => {
  it("calibrates a cosine to [0, 1] and never falls as it rises", () => {
    expect([-1, -0.2, 0, 0.4, 1, 1.0000001].map(MINILM.calibrate)).toEqual([0, 0, 0, 0.4, 1, 1]);
  });

  it("refuses a number of workers that makes no sense", async () => {
    for (const workers of [0, -1, 1.5, Number.NaN])
      await expect(openMiniLm({ workers })).rejects.toThrow("workers must be a whole number from 1");
  });
});

describe.skipIf(encoder.isMissing)(encoder.named("its real process"), () => {
  it("says what it is", async () => {
    const embedder = await openEncoder(MINILM, { workers: 1 });
    expect(embedder).toMatchObject({ id: "minilm-l6-256", dimensions: 256, weight: 0.5 });
    expect(embedder.version).toMatch(/^[0-9a-f]{12}$/);
    await embedder.close();
  });

  it("takes greetings and thanks for small talk, and nothing that asks something", async () => {
    const embedder = await openEncoder(MINILM, { workers: 1 });
    expect(SMALL_TALK_AXIS_OF).toBe(embedder.version);
    const told = async (text: string): Promise<number> => embedder.smallTalk?.(await embedder.embedQuery(text)) ?? 0;
    for (const text of ["hello, nice to see you", "thank you", "you are stupid", "how are you", "are you a robot?"])
      expect(await told(text), text).toBeGreaterThan(0.5);
    for (const text of [
      "How do I reset my password?",
      "refund",
      "Where is my order",
      "invoice for March",
      "I want to talk to a person",
    ])
      expect(await told(text), text).toBeLessThan(0.1);
    await embedder.close();
  });

  it("refuses a damaged model", async () => {
    await inTemporaryDirectory(async (directory) => {
      await cp(MINILM.directory, directory, { recursive: true, dereference: true });
      await cp(join(directory, "manifest.json"), join(directory, "rotation.f32"));
      const worker = startEncoderWorker({ ...MINILM, directory });
      await expect(worker.ready).rejects.toMatchObject({
        code: "EMBEDDER_UNAVAILABLE",
        message: "its model can't be read: the file rotation.f32 of @loredex/minilm is damaged",
        mend: expect.stringContaining("install @loredex/minilm again"),
      });
      await worker.ended;
    });
  });

  it("finishes what runs before it ends", async () => {
    const worker = startEncoderWorker(MINILM);
    await worker.ready;
    const vector = worker.encode("the last one");
    await worker.close();
    expect((await vector).vector).toHaveLength(256);
  });
});
