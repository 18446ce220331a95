import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { Lanes } from "../../../src/sources/keeping/lanes.ts";

const hosts = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 2 });

it("does everything, on the disk one after the other, at four sites at most at once, and never two at one host", async () => {
  const ends = fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.array(hosts, { maxLength: 20 }), ends, async (all, order) => {
      const lanes = new Lanes();
      const running: { readonly hosts: readonly string[]; readonly end: () => void }[] = [];
      const begun: number[] = [];
      for (const [key, each] of all.entries()) {
        lanes.start(String(key), new Set(each), () => {
          begun.push(key);
          return new Promise((end) => running.push({ hosts: each, end }));
        });
      }
      for (let at = 0; running.length > 0; at += 1) {
        const sites = running.filter((work) => work.hosts.length > 0);
        expect(running.length - sites.length).toBeLessThanOrEqual(1);
        expect(sites.length).toBeLessThanOrEqual(4);
        const asked = sites.flatMap((work) => work.hosts);
        expect(new Set(asked).size).toBe(asked.length);
        const next = (order[at % order.length] ?? 0) % running.length;
        for (const work of running.splice(next, 1)) work.end();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await lanes.whenEmpty();
      expect([...begun].sort((a, b) => a - b)).toEqual([...all.keys()]);
      const onDisk = begun.filter((key) => all[key]?.length === 0);
      expect(onDisk).toEqual([...onDisk].sort((a, b) => a - b));
    }),
    { numRuns: 50 },
  );
});

it("waits for older work and for what runs, and for nothing that is given later", async () => {
  const step = fc.oneof(
    { weight: 2, arbitrary: fc.record({ hosts: fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ ended: fc.nat() }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
      const lanes = new Lanes();
      const waiting = new Map<number, readonly string[]>();
      const running = new Map<number, { readonly hosts: readonly string[]; readonly end: () => void }>();
      const share = (one: readonly string[], other: readonly string[]) =>
        one.length === 0 ? other.length === 0 : one.some((host) => other.includes(host));
      const end = async (which: number): Promise<void> => {
        const [key, work] = [...running][which % Math.max(1, running.size)] ?? [];
        if (key === undefined || work === undefined) return;
        running.delete(key);
        work.end();
        await new Promise((resolve) => setImmediate(resolve));
      };
      for (const [key, each] of steps.entries()) {
        if ("ended" in each) {
          await end(each.ended);
          continue;
        }
        waiting.set(key, each.hosts);
        lanes.start(String(key), new Set(each.hosts), () => {
          // What it is passed over for: something that runs, or older work that waits for the same host.
          for (const [older, others] of waiting) {
            if (older >= key) break;
            expect(share(others, each.hosts)).toBe(false);
            const before = [...waiting].filter(([one]) => one < older).map(([, itsHosts]) => itsHosts);
            const inTheWay = [...[...running.values()].map((work) => work.hosts), ...before];
            expect(inTheWay.some((itsHosts) => share(itsHosts, others))).toBe(true);
          }
          waiting.delete(key);
          return new Promise((done) => running.set(key, { hosts: each.hosts, end: done }));
        });
      }
      while (running.size > 0) await end(0);
      expect(waiting.size).toBe(0);
    }),
    { numRuns: lawRuns(400) },
  );
});

it("reads a source with two hosts though others come to each of them all the time", async () => {
  const lanes = new Lanes();
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const give = (key: string, ...at: string[]): void =>
    lanes.start(key, new Set(at), () => {
      begun.push(key);
      return new Promise((end) => ends.set(key, end));
    });
  give("a 0", "a");
  give("b 0", "b");
  give("both", "a", "b");
  for (let i = 1; i <= 20; i++) {
    for (const host of ["a", "b"]) {
      give(`${host} ${i}`, host);
      ends.get(`${host} ${i - 1}`)?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  expect(begun.slice(0, 3)).toEqual(["a 0", "b 0", "both"]);
  for (let at = 0; at < begun.length; at++) {
    ends.get(begun[at] ?? "")?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await lanes.whenEmpty();
  expect(begun).toHaveLength(43);
});

it("does not wait for a site with what is on the disk", async () => {
  const lanes = new Lanes();
  let end = (): void => undefined;
  lanes.start("site", new Set(["a"]), () => new Promise((resolve) => (end = resolve)));
  expect(lanes.has("site")).toBe(true);
  await new Promise<void>((resolve) => lanes.start("folder", new Set(), async () => resolve()));
  end();
  await lanes.whenEmpty();
  expect(lanes.has("site")).toBe(false);
});
