import { expect, it } from "vitest";
import { Engine, type LogEvent } from "../../src/index.ts";
import { openOn } from "../storage/kit.ts";
import { diskOf, type Files, sealed, wholeDirectory } from "./loader-fuzz.ts";

const QUESTIONS = ["pears", "text 1", "why plums", "changed"];

async function opened(files: Files): Promise<{ events: LogEvent[]; answers: unknown[] }> {
  const events: LogEvent[] = [];
  const storage = await openOn(await diskOf(files), { segmentBytes: 3_000 });
  const engine = await Engine.open({ storage, logger: (event) => events.push(event) });
  const bot = await engine.bot("fuzzed");
  const answers: unknown[] = [];
  for (const question of QUESTIONS) answers.push(await bot.search(question));
  await engine.close();
  return { events, answers };
}

/** Puts nines in the place of a count in the header. */
function absurd(count: string): (section: Buffer) => void {
  return (section) => {
    const at = section.indexOf(`"${count}":`) + count.length + 3;
    for (let i = at; section.toString("latin1", i, i + 1) >= "0" && section.toString("latin1", i, i + 1) <= "9"; i++) {
      section.write("9", i);
    }
  };
}

function endOfHeader(section: Buffer): number {
  return 4 + section.readUInt32LE(0);
}

const DAMAGES: readonly (readonly [what: string, damage: (section: Buffer) => void])[] = [
  ["whose header is as long as can be", (section) => void section.writeUInt32LE(0xffffffff, 0)],
  ["whose header is nothing", (section) => void section.fill(0, 4, endOfHeader(section))],
  ["of many passages", absurd("passages")],
  ["of many postings", absurd("postings")],
  ["of a long vocabulary", absurd("vocabularyBytes")],
  ["of ones behind the header", (section) => void section.fill(255, endOfHeader(section))],
  ["of zeros behind the header", (section) => void section.fill(0, endOfHeader(section))],
  ["with a span beyond its document", (section) => void section.fill(255, section.length - 400)],
];

it.each(DAMAGES)("an index %s, with a checksum that fits, is made again from the documents", async (_, damage) => {
  const files = await wholeDirectory();
  const whole = await opened(files);
  const names = [...files.keys()].filter((name) => name.endsWith("search-index.section")).sort();
  const name = names.at(-1) ?? expect.fail("no index was stored");
  const before = files.get(name) ?? expect.fail("no index was stored");
  const after = Buffer.from(before);
  damage(after);
  const { events, answers } = await opened(sealed(new Map(files).set(name, after), name, before));
  expect(answers).toEqual(whole.answers);
  expect(whole.events.filter(({ event }) => event === "indexDropped")).toHaveLength(0);
  expect(events.filter(({ event }) => event === "indexDropped")).toHaveLength(1);
});
