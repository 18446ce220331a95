import { expect, it } from "vitest";
import { InFlight } from "../../../src/sources/importing/in-flight.ts";

/** Work that ends when it is told to. */
class Work {
  readonly started: string[] = [];
  readonly #ends = new Map<string, () => void>();

  begin = (name: string) => (): Promise<void> => {
    this.started.push(name);
    return new Promise((resolve) => this.#ends.set(name, resolve));
  };
  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it("has so many on their way at once, and no more", async () => {
  const work = new Work();
  const inFlight = new InFlight({ countMax: 2, bytesMax: 1_000 });
  await inFlight.start("a", 1, work.begin("a"));
  await inFlight.start("b", 1, work.begin("b"));
  const third = inFlight.start("c", 1, work.begin("c"));
  await work.end("x");
  expect(work.started).toEqual(["a", "b"]);
  await work.end("b");
  await third;
  expect(work.started).toEqual(["a", "b", "c"]);
});

it("bounds their bytes, and lets a large one go alone", async () => {
  const work = new Work();
  const inFlight = new InFlight({ countMax: 10, bytesMax: 100 });
  await inFlight.start("a", 60, work.begin("a"));
  await inFlight.start("b", 40, work.begin("b"));
  const large = inFlight.start("c", 500, work.begin("c"));
  await work.end("a");
  expect(work.started).toEqual(["a", "b"]);
  await work.end("b");
  await large;
  expect(work.started).toEqual(["a", "b", "c"]);
  const last = inFlight.start("d", 1, work.begin("d"));
  await work.end("x");
  expect(work.started).not.toContain("d");
  await work.end("c");
  await last;
  await work.end("d");
  await inFlight.whenEmpty();
});

it("keeps those of one id in their order", async () => {
  const work = new Work();
  const inFlight = new InFlight({ countMax: 10, bytesMax: 100 });
  await inFlight.start("same", 1, work.begin("first"));
  await inFlight.start(undefined, 1, work.begin("other"));
  const second = inFlight.start("same", 1, work.begin("second"));
  await work.end("other");
  expect(work.started).toEqual(["first", "other"]);
  await work.end("first");
  await second;
  expect(work.started).toEqual(["first", "other", "second"]);
});
