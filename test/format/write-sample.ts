import { createWriteStream } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { Engine } from "@loredex/core";
import { EMBEDDED_TEXTS_VERSION } from "../../packages/core/src/index/embedded-texts.ts";
import { type Administered, type Asked, administeredOf, embedders, knownOf } from "./known.ts";

/** What a sample is asked when it is opened again. */
export interface Filled {
  /** The key of the bot named `full`, which there is a backup of. */
  readonly key: string;
  /** Its bots by name, with questions that can have one answer only, however searches may change. */
  readonly bots: Readonly<Record<string, readonly Asked[]>>;
  readonly administered?: Administered;
}

/** Writes the sample that the command line names: what `fill` puts into an engine, and what is known of it. */
export async function writeSample(fill: (engine: Engine) => Promise<Filled>): Promise<void> {
  const [, , name = ""] = process.argv;
  if (!/^[0-9a-z.-]+$/.test(name)) throw new Error("Say the name of the sample, for example 0.1.0.");
  const sample = fileURLToPath(new URL(`samples/${name}`, import.meta.url));
  await rm(sample, { recursive: true, force: true });
  await mkdir(sample, { recursive: true });
  const engine = await Engine.open({ directory: join(sample, "directory"), embedders: embedders(name).offers });
  const { key, bots, administered } = await fill(engine);
  // Sessions and questions end with time: the sample is read at this one.
  const kept: Record<string, unknown> = { key, texts: EMBEDDED_TEXTS_VERSION, atMs: Date.now() };
  if (administered !== undefined) kept.administered = await administeredOf(engine, administered);
  for (const [bot, asked] of Object.entries(bots)) kept[bot] = await knownOf(engine, bot, asked);
  const backup = engine.backup("full", { withQuestions: true });
  await pipeline(Readable.from(backup), createWriteStream(join(sample, "full.backup")));
  await engine.close();
  await rm(join(sample, "directory", "lock"));
  await rm(join(sample, "directory", "reserve"), { force: true });
  await writeFile(join(sample, "expected.json"), `${JSON.stringify(kept, null, 1)}\n`);
}
