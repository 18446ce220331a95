import fc from "fast-check";
import { expect, it } from "vitest";
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
