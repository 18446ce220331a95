import { expect, it, onTestFinished } from "vitest";
import { Engine } from "../../src/engine.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { codeOf, openNodes, TripsOfACall } from "./nodes.ts";

it("calls know at once what another node has just done to bots", async () => {
  const { nodes } = await openNodes({ background: false });
  const [a, b] = nodes;
  for (const name of ["one", "two", "three"]) await a.createBot({ name });
  expect(await codeOf(b.updateBot("one", { name: "uno" }))).toBeUndefined();
  expect(await codeOf(a.createBot({ name: "one" }))).toBeUndefined();
  expect(await codeOf(b.purge("two"))).toBeUndefined();
  await a.removeBot("two");
  expect((await b.ensureBot({ name: "two" })).key).toBeDefined();
  const backup = await bytesOf(a.backup("three"));
  await a.removeBot("three");
  expect(await codeOf(b.restore(inOne(backup)))).toBeUndefined();
});

it("nodes purge a bot at the same time", async () => {
  const { nodes } = await openNodes({ background: false });
  const { bot } = await nodes[0].createBot({ name: "help" });
  await Promise.all(nodes.map((node) => node.bot(bot.id)));
  expect(await Promise.all(nodes.map((node) => codeOf(node.purge(bot.id))))).toEqual(nodes.map(() => undefined));
});

it("a bot is opened whenever another node purges it meanwhile", async () => {
  await atEachTrip(
    ({ b, id }) => b.bot(id),
    ({ a, id }) => a.purge(id),
    ({ code, logged }) => expect([code, logged]).toEqual([undefined, []]),
  );
});

it("a bot is not found, and taken for damaged by nobody, whenever another node removes it while it is opened", async () => {
  await atEachTrip(
    ({ b, id }) => b.bot(id).then((bot) => bot.stats()),
    ({ a, id }) => a.removeBot(id),
    ({ code, logged }) => {
      expect([undefined, "BOT_NOT_FOUND"]).toContain(code);
      expect(logged).toEqual([]);
    },
  );
});

it("a call of an open bot does not find it, and is not told that all is closed, whenever another node removes it", async () => {
  await atEachTrip(
    ({ b, id }) => b.bot(id).then((bot) => bot.createArticle({ title: "Refunds", body: "They come back." })),
    async ({ a, b, id }) => {
      await a.removeBot(id);
      // The question of the call itself may be under way: it cannot be awaited here.
      b.catchUp().catch(() => undefined);
      for (let turns = 0; turns < 10; turns++) await new Promise((settle) => setImmediate(settle));
    },
    ({ code }) => expect([undefined, "BOT_NOT_FOUND"]).toContain(code),
  );
});

it("a backup is whole, whenever another node purges the bot as it begins", async () => {
  await atEachTrip(
    ({ b, id }) => bytesOf(b.backup(id, { withDerived: true })),
    ({ a, id }) => a.purge(id),
    ({ code }) => expect(code).toBeUndefined(),
  );
});

it("the documents that a removal of a source removed are counted, although another node was quicker meanwhile", async () => {
  const trips = new TripsOfACall();
  const roundTrip = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    await trips.passed();
  };
  const database = new SimulatedDatabase({ roundTrip });
  const open = () => Engine.open({ embedders: {}, storage: database.open(), background: false });
  const [a, b] = [await open(), await open()];
  onTestFinished(() => Promise.all([a.close(), b.close()]).then(() => undefined));
  const { bot } = await a.createBot({ name: "help" });
  const [onA, onB] = [await a.bot(bot.id), await b.bot(bot.id)];
  const ids = Array.from({ length: 200 }, (_, i) => `d${i}`);
  const source = "site";
  const document = (id: string) => ({ resourceDocId: id, type: "WEBPAGE", content: [{ md: id }], metaData: {} });
  await Promise.all(ids.map((id) => onB.importDocument(document(id), { source })));
  trips.waitAt(5, () => onA.createArticle({ title: "Refunds", body: "They come back." }));
  expect(await trips.during(() => onB.removeSource("site"))).toBe(200);
  expect(trips.wasReached).toBe(true);
});

interface Meeting {
  readonly a: Engine;
  readonly b: Engine;
  readonly id: string;
}

/** Runs a call of node `b`, again and again on new databases, and something on node `a` at each of its round trips in turn. */
async function atEachTrip(
  call: (meeting: Meeting) => Promise<unknown>,
  meanwhile: (meeting: Meeting) => Promise<unknown>,
  check: (met: { readonly code: unknown; readonly logged: readonly string[] }) => void,
): Promise<void> {
  for (let at = 0, wasReached = true; wasReached; at += 1) {
    const trips = new TripsOfACall();
    const database = new SimulatedDatabase({ roundTrip: () => trips.passed() });
    const logged: string[] = [];
    const open = async (): Promise<Engine> => {
      const logger = ({ level, event }: { level: string; event: string }) => {
        if (level === "error") logged.push(event);
      };
      const engine = await Engine.open({ embedders: {}, background: false, logger, storage: database.open() });
      onTestFinished(() => engine.close());
      return engine;
    };
    const [a, b] = [await open(), await open()];
    const { id } = (await a.createBot({ name: "help" })).bot;
    await b.catchUp();
    const meeting = { a, b, id };
    trips.waitAt(at, () => meanwhile(meeting));
    const code = await codeOf(trips.during(() => call(meeting)));
    wasReached = trips.wasReached;
    check({ code, logged });
    await Promise.all([a.close(), b.close()]);
    expect(at).toBeLessThan(100);
  }
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Uint8Array.from(all.flatMap((piece) => [...piece]));
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
