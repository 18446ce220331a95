import type { LogEvent } from "@loredex/core";
import type { Certificate } from "@loredex/http";
import { expect, it } from "vitest";
import { type ReadCertificate, UnfitCertificateError } from "../../src/tls/certificate-files.ts";
import { followCertificate } from "../../src/tls/followed-certificate.ts";

const DAY_MS = 86_400_000;
const day = (number: number): Date => new Date(number * DAY_MS);
const pair = (cert: string, until = 100): ReadCertificate => ({
  cert,
  key: `key of ${cert}`,
  from: day(0),
  until: day(until),
});

/** A certificate that is followed: what its files hold, and the clock, are the test's. */
function followed(first: ReadCertificate) {
  const log: LogEvent[] = [];
  const used: Certificate[] = [];
  const world: { files: ReadCertificate | Error; today: number; look: () => void; isStopped: boolean } = {
    files: first,
    today: 1,
    look: () => undefined,
    isStopped: false,
  };
  const certificate = followCertificate(first, {
    read: () => (world.files instanceof Error ? Promise.reject(world.files) : Promise.resolve(world.files)),
    use: (given) => used.push(given),
    logger: (event) => log.push(event),
    nowMs: () => world.today * DAY_MS,
    every: (_ms, run) => {
      world.look = run;
      return () => {
        world.isStopped = true;
      };
    },
  });
  const look = async (): Promise<string[]> => {
    world.look();
    await new Promise((resolve) => setImmediate(resolve));
    return log.splice(0).map(({ event }) => event);
  };
  return { world, used, log, look, certificate };
}

it("uses another certificate as soon as the files hold one, and says so once", async () => {
  const { world, used, look } = followed(pair("one"));
  expect(await look()).toEqual([]);
  world.files = pair("two");
  expect(await look()).toEqual(["certificateRenewed"]);
  expect(await look()).toEqual([]);
  expect(used.map(({ cert }) => cert)).toEqual(["two"]);
});

it("says nothing of a pair of which one file is new alone, for the other may be on its way", async () => {
  const { world, look } = followed(pair("one"));
  world.files = new Error("The key is not that of the certificate.");
  expect(await look()).toEqual([]);
  world.files = pair("two");
  expect(await look()).toEqual(["certificateRenewed"]);
});

it("tells once what stays wrong, goes on with what it has, and tells it anew after it was right", async () => {
  const { world, used, look } = followed(pair("one"));
  const wrong = new Error("The key is not that of the certificate.");
  world.files = wrong;
  expect([await look(), await look(), await look()]).toEqual([[], ["certificateRefused"], []]);
  expect(used).toEqual([]);
  world.files = pair("one");
  expect(await look()).toEqual([]);
  world.files = wrong;
  expect([await look(), await look()]).toEqual([[], ["certificateRefused"]]);
});

it("tells at once what is wrong to whoever asks it to look", async () => {
  const { world, log, certificate } = followed(pair("one"));
  world.files = new Error("It is gone.");
  await certificate.readAgain();
  expect(log).toMatchObject([
    { event: "certificateRefused", message: expect.stringContaining("It is gone. The server continues") },
  ]);
});

it("tells who asks it to look that half of a pair waits for the other, and takes both together", async () => {
  const { world, used, log, look, certificate } = followed(pair("one"));
  const half = (cert: string, key: string) => new UnfitCertificateError("They do not fit.", { cert, key }, undefined);
  world.files = half("two", "key of one");
  await certificate.readAgain();
  world.files = half("one", "key of two");
  await certificate.readAgain();
  expect(log.splice(0).map(({ event, level }) => [event, level])).toEqual([
    ["certificateAwaited", "info"],
    ["certificateAwaited", "info"],
  ]);
  expect([await look(), await look()]).toEqual([[], ["certificateRefused"]]);
  world.files = pair("two");
  expect(await look()).toEqual(["certificateRenewed"]);
  expect(used).toMatchObject([{ cert: "two", key: "key of two" }]);
  // Both are new: nothing more is to come.
  world.files = half("three", "key of four");
  await certificate.readAgain();
  expect(log).toMatchObject([
    {
      event: "certificateRefused",
      message: expect.stringContaining("put both files in place, and they are read again"),
    },
  ]);
});

it("warns once a day of a certificate that runs out within two weeks, has run out, or does not hold yet", async () => {
  const { world, look, log } = followed(pair("one", 20));
  expect([await look(), log]).toEqual([[], []]);
  for (const today of [7, 8, 30]) {
    world.today = today;
    expect([await look(), await look()]).toEqual([["certificateEnds"], []]);
  }
  world.files = pair("two");
  expect(await look()).toEqual(["certificateRenewed"]);
  world.files = { ...pair("three"), from: day(31) };
  expect(await look()).toEqual(["certificateRenewed", "certificateEnds"]);
});

it("looks no more when it is stopped", () => {
  const { world, certificate } = followed(pair("one"));
  certificate.stop();
  expect(world.isStopped).toBe(true);
});
