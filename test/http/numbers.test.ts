import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sharedService } from "./service.ts";

const service = sharedService();

/** Numbers as clients write them: with all their digits, or with an exponent. */
const written = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  fc
    .tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 0, max: 30 }))
    .map(([digits, zeros]) => `${digits}e${zeros}`),
);

describe("numbers in metadata", () => {
  it("are taken by a PUT as a GET shows them", async () => {
    const bot = await service().bot();
    const { id } = await bot.add({ title: "Numbers", body: "In metadata." });
    const path = `/api/v1/knowledge/${id}`;
    const headers = { "x-api-key": bot.key, "content-type": "application/json" };
    await fc.assert(
      fc.asyncProperty(fc.array(written, { maxLength: 9 }), async (numbers) => {
        const metadata = numbers.map((number, i) => `"n${i}":${number}`).join(",");
        const put = await service().send("PUT", path, { body: `{"metadata":{${metadata}}}`, headers });
        if (put.status !== 200) expect(put.text).toContain("exactInteger");
        const shown = await service().send<{ data: { metadata: unknown } }>("GET", path, { headers });
        const again = await service().send("PUT", path, { body: JSON.stringify(shown.json.data), headers });
        expect([again.status, again.text]).toEqual([200, again.text]);
        expect((await service().send("GET", path, { headers })).text).toBe(shown.text);
      }),
    );
  });
});
