import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Engine } from "@loredex/core";
import fc from "fast-check";
import { importSources } from "loredex";
import { expect, it } from "vitest";
import { openOn, simulatedDisk } from "../../packages/core/test/storage/kit.ts";
import { temporaryDirectory } from "../../packages/loredex/test/support/temporary-directory.ts";
import { lawRuns } from "../support/law-runs.ts";

/** Files that come and go. Every text says which file it stood in. */
const FILES = [
  "A/docs/a.md",
  "A/docs/b.md",
  "A/docs/sub/c.md",
  "A/docs/l.jsonl",
  "B/docs/a.md",
  "B/docs/d.md",
  "B/docs/l.jsonl",
  "C/faq/x.md",
];
/** `link` leads to `A/docs`. */
const ARGUMENTS = ["A/docs", "B/docs", "C/faq", "A/docs/a.md", "A/docs/l.jsonl", "A", "link", "A/docs/sub"];

interface ImportStep {
  readonly kind: "import";
  readonly names: readonly string[];
  readonly source?: string;
  readonly sync: boolean;
}

type Step =
  | { readonly kind: "write"; readonly file: string }
  | { readonly kind: "delete"; readonly file: string }
  | ImportStep
  | { readonly kind: "restart" };

const file = fc.constantFrom(...FILES);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: file.map((name) => ({ kind: "write" as const, file: name })) },
  { weight: 2, arbitrary: file.map((name) => ({ kind: "delete" as const, file: name })) },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        kind: fc.constant("import" as const),
        names: fc.array(fc.constantFrom(...ARGUMENTS), { minLength: 1, maxLength: 3 }),
        source: fc.constantFrom("kb", "other"),
        sync: fc.boolean(),
      },
      { requiredKeys: ["kind", "names", "sync"] },
    ),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "restart" as const }) },
);

/** Which argument of which source brings something: a path, or with a name, whatever of this last name lies there. */
function bringer(name: string, source: string | undefined): string {
  const real = name === "link" ? "A/docs" : name;
  return source === undefined ? real : `${source}: ${basename(real)}`;
}

/** The file of a text. */
const fileOf = (text: string): string => text.split(" ")[0] ?? "";

class Life {
  readonly #root: string;
  readonly #disk = simulatedDisk();
  #engine: Engine | undefined;
  #texts = 0;
  /** The files that stand, with what they say. */
  readonly #there = new Map<string, string>();
  /** Which arguments may have brought each document. */
  readonly #bringers = new Map<string, Set<string>>();

  constructor(root: string) {
    this.#root = root;
  }

  async begin(): Promise<void> {
    for (const name of FILES) await mkdir(join(this.#root, dirname(name)), { recursive: true });
    await symlink(join(this.#root, "A/docs"), join(this.#root, "link"));
    this.#engine = await Engine.open({ storage: await openOn(this.#disk) });
    await this.#engine.createBot({ name: "bot" });
  }

  async run(taken: Step): Promise<void> {
    if (taken.kind === "write") await this.#write(taken.file);
    else if (taken.kind === "delete") await this.#delete(taken.file);
    else if (taken.kind === "restart") await this.restart();
    else await this.#import(taken);
  }

  /** What is replayed is what was there. */
  async restart(): Promise<void> {
    const before = await this.#all();
    await this.#engine?.close();
    this.#engine = await Engine.open({ storage: await openOn(this.#disk) });
    expect(await this.#all()).toEqual(before);
  }

  async end(): Promise<void> {
    await this.#engine?.close();
  }

  async #write(name: string): Promise<void> {
    this.#texts += 1;
    const text = `${name} ${this.#texts}`;
    const line = (id: string): string => JSON.stringify({ resourceDocId: id, type: "PDF", content: [{ md: text }] });
    // Every other version of the lines lacks one.
    const lines = this.#texts % 2 === 0 ? [line("x"), line(`of ${name}`)] : [line(`of ${name}`)];
    const content = name.endsWith(".jsonl") ? lines.join("\n") : text;
    await writeFile(join(this.#root, name), content);
    this.#there.set(name, content);
  }

  async #delete(name: string): Promise<void> {
    await rm(join(this.#root, name), { force: true });
    this.#there.delete(name);
  }

  /** Whether the file that a text stood in still has the document. */
  #stands(id: string, text: string): boolean {
    const content = this.#there.get(fileOf(text));
    return content !== undefined && (!fileOf(text).endsWith(".jsonl") || content.includes(`"${id}"`));
  }

  async #import({ names, source, sync }: ImportStep): Promise<void> {
    const before = await this.#textsById();
    const bot = await this.#opened().bot("bot");
    const owners = await this.#owners();
    const paths = names.map((name) => join(this.#root, name));
    await importSources(bot, paths, source === undefined ? { sync } : { sync, source });
    const after = await this.#textsById();
    const ownersAfter = await this.#owners();
    const here = new Set(names.map((name) => bringer(name, source)));
    for (const [id, text] of after) {
      const old = before.get(id);
      if (old === undefined) this.#bringers.set(id, new Set(here));
      else {
        expect(ownersAfter.get(id), `${id} changed hands`).toBe(owners.get(id));
        // Only who has a name may find a file of it elsewhere, and only when it is no longer where it was.
        const isOfPath = !["kb", "other"].includes(owners.get(id) ?? "") && !id.startsWith("of ") && id !== "x";
        if (isOfPath || this.#stands(id, old)) expect(fileOf(text), `${id} is another file`).toBe(fileOf(old));
        if (ownersAfter.get(id) === source) for (const one of here) this.#bringers.get(id)?.add(one);
      }
    }
    for (const [id, text] of before) {
      if (after.has(id)) continue;
      expect(sync, `${id} is gone without a sync`).toBe(true);
      const brought = [...(this.#bringers.get(id) ?? [])];
      expect(
        brought.some((one) => here.has(one)),
        `${id} of ${brought} is removed by ${[...here]}`,
      ).toBe(true);
      expect(this.#stands(id, text), `${id} is still there`).toBe(false);
      this.#bringers.delete(id);
    }
    const files = [...after].filter(([id]) => ownersAfter.get(id)?.startsWith("/")).map(([, text]) => fileOf(text));
    const pages = files.filter((name) => name.endsWith(".md"));
    expect(new Set(pages).size, `a file is there twice: ${pages}`).toBe(pages.length);
    expect((await bot.listSources()).reduce((sum, { documents }) => sum + documents, 0)).toBe(after.size);
  }

  #opened(): Engine {
    if (this.#engine === undefined) throw new Error("It has not begun.");
    return this.#engine;
  }

  async #textsById(): Promise<Map<string, string>> {
    const documents = await (await this.#opened().bot("bot")).listDocuments();
    return new Map(documents.map((one) => [one.resourceDocId, one.type === "QNA" ? "" : (one.content[0]?.md ?? "")]));
  }

  async #owners(): Promise<Map<string, string>> {
    const bot = await this.#opened().bot("bot");
    const owned = await bot.ownedDocuments((await bot.listSources()).map(({ name }) => name));
    return new Map(owned.map(({ id, source }) => [id, source]));
  }

  async #all(): Promise<unknown> {
    const bot = await this.#opened().bot("bot");
    const sources = await bot.listSources();
    const owned = await bot.ownedDocuments(sources.map(({ name }) => name));
    const byId = [...owned].sort((a, b) => (a.id < b.id ? -1 : 1));
    return JSON.parse(JSON.stringify([sources, byId, [...(await this.#textsById())]]));
  }
}

it("no import takes, doubles or removes what another one brought, whatever comes between, and a restart changes nothing", async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
    const life = new Life(await temporaryDirectory());
    await life.begin();
    for (const one of steps) await life.run(one);
    await life.restart();
    await life.end();
  });
  await fc.assert(property, { numRuns: lawRuns(25) });
});
