import { expect, it } from "vitest";
import { CarefulStaticEmbedder } from "../../src/embedding/careful-static.ts";
import { FakeStatic } from "../support/fake-static.ts";

it("passes on how much a question is small talk, and tells the first failure of it", () => {
  const reasons: string[] = [];
  const fake = Object.assign(new FakeStatic(), { smallTalk: (vector: Float32Array): number => vector[0] ?? 0 });
  const careful = new CarefulStaticEmbedder(fake, (reason) => reasons.push(reason));
  expect(careful.smallTalk(Float32Array.of(0.25))).toBe(0.25);
  fake.smallTalk = () => {
    throw new Error("no axis");
  };
  expect([careful.smallTalk(Float32Array.of(1)), careful.smallTalk(Float32Array.of(1))]).toEqual([0, 0]);
  expect(reasons).toEqual(["no axis"]);
  expect(new CarefulStaticEmbedder(new FakeStatic(), () => undefined).smallTalk(Float32Array.of(1))).toBe(0);
});
