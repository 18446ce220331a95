import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engine, LoredexError } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { expectKept, inDirectory, live, prepareFaulty, whyNot } from "./fault-trial.ts";

const SHORT = process.env.TESTS_SHORT === "1";
const WRITES = 10;
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

const inject = (call: string, error: string, when: string): readonly string[] => [
  "strace",
  ...["-f", "-qq", "-o", "/dev/null", "-e", `trace=${call}`, "-e", `inject=${call}:error=${error}:when=${when}`],
];

const noStrace = whyNot(...(["strace", "-f", "-o", "/dev/null", "-e", "trace=fsync", "true"] as const));
const mountPoint = mkdtempSync(join(tmpdir(), "loredex-tmpfs-"));
const noTmpfs = whyNot("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mountPoint);
if (noTmpfs === undefined) spawnSync("umount", [mountPoint]);
rmSync(mountPoint, { recursive: true });
for (const why of [noStrace, noTmpfs]) if (why !== undefined) console.warn(`Faults that did not run: ${why}`);
const named = (name: string, why: string | undefined): string =>
  why === undefined ? name : `${name} (did not run: ${why})`;

describe.skipIf(noStrace !== undefined)(named("system calls that fail", noStrace), () => {
  it.each(SHORT ? [3] : upTo(WRITES))(
    "fdatasync number %i: writes are refused from there on, reads go on",
    async (nth) => {
      await inDirectory(async (directory) => {
        const life = live(inject("fdatasync", "EIO", String(nth)), directory, String(WRITES));
        expect(life.acknowledged).toHaveLength(nth - 1);
        expect([...life.refused.values()]).toEqual(Array.from({ length: WRITES - nth + 1 }, () => "READ_ONLY"));
        expect(life.reads.at(-1)).toEqual({ reads: nth - 1, found: nth - 1 });
        expect(life.ended).toBeUndefined();
        await expectKept(directory, life);
      });
    },
  );

  it.each(SHORT ? ["4+2"] : ["1", "2", "3", "5", "3+3", "4+2", "5+", "7"])(
    "writing, number %s, for want of room: that write is refused, and later ones are taken as soon as there is room",
    async (when) => {
      await inDirectory(async (directory) => {
        const life = live(inject("pwrite64", "ENOSPC", when), directory, String(WRITES));
        // A start writes the end of each log once more.
        if (life.ended !== undefined) expect(life).toMatchObject({ ended: "DISK_FULL", acknowledged: [] });
        else {
          expect(life.refused.size + life.acknowledged.length).toBe(WRITES);
          // A snapshot for which there is no room harms nothing, and is refused alike.
          expect(new Set([...life.refused.values(), ...life.snapshots])).toEqual(new Set(["DISK_FULL"]));
          if (!when.endsWith("+")) expect(life.acknowledged.length).toBeGreaterThan(3);
          expect(life.reads.at(-1)?.reads).toBe(life.acknowledged.length);
        }
        await expectKept(directory, life);
      });
    },
  );

  it.each(SHORT ? [9] : upTo(30))("fsync number %i: nothing that was acknowledged is lost", async (nth) => {
    await inDirectory(async (directory) => {
      const life = live(inject("fsync", "EIO", String(nth)), directory, String(WRITES));
      if (life.ended !== undefined) expect(life.ended).toMatch(/^(STORAGE_FAILED|READ_ONLY|BOT_INACCESSIBLE)$/);
      await expectKept(directory, life);
    });
  });

  it.each(SHORT ? [] : ["rename", "unlink", "ftruncate"])("%s, from some call on: nothing is lost", async (call) => {
    for (const first of [1, 2, 3]) {
      await inDirectory(async (directory) => {
        await expectKept(directory, live(inject(call, "EIO", `${first}+`), directory, String(WRITES)));
      });
    }
  });
});

describe.skipIf(process.platform === "win32")("a process without file descriptors", () => {
  it("keeps writing to what is open, and opens the rest when there are some again", async () => {
    await inDirectory(async (directory) => {
      const limited = ["bash", "-c", 'ulimit -n 64; exec "$0" "$@"'];
      const life = live(limited, directory, String(WRITES), "descriptors");
      expect(life.others.slice(0, WRITES >> 1)).not.toContain(true);
      expect(life.others.slice(WRITES >> 1)).not.toContain(false);
      expect(life.acknowledged).toHaveLength(WRITES);
      expect(life.snapshots.every((code) => code === "TOO_MANY_OPEN_FILES")).toBe(true);
      expect(life.snapshots.length).toBeGreaterThan(0);
      await expectKept(directory, life);
    });
  });
});

/** A small disk in memory, mounted while `work` runs. */
async function onTmpfs(work: (path: string) => Promise<void>): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), "loredex-tmpfs-"));
  expect(whyNot("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path)).toBeUndefined();
  try {
    await work(path);
  } finally {
    // Also where a test that failed has left files open.
    spawnSync("umount", ["-l", path]);
    rmSync(path, { recursive: true });
  }
}

describe.skipIf(noTmpfs !== undefined)(named("a disk of 1 MiB", noTmpfs), () => {
  it("that is full refuses writes with DISK_FULL, goes on reading, and takes writes again when there is room", async () => {
    await onTmpfs(async (path) => {
      const [directory, filler] = [join(path, "data"), join(path, "filler")];
      await prepareFaulty(directory);
      writeFileSync(filler, Buffer.alloc(500_000));
      const engine = await Engine.open({ directory, embedders: {} });
      const bot = await engine.bot("faulty");
      await engine.updateBot("faulty", { quotaCharacters: 1e9, rateCharactersPerMinute: 1e9 });
      const acknowledged: string[] = [];
      const write = async (n: number): Promise<string | undefined> => {
        try {
          const { article } = await bot.createArticle({
            title: `Write ${n}`,
            body: `${n} ${"harbour ".repeat(1_000)}`,
          });
          acknowledged.push(article.id);
          return undefined;
        } catch (error) {
          return error instanceof LoredexError ? error.code : String(error);
        }
      };
      const outcomes: (string | undefined)[] = [];
      for (let n = 0; n < 200; n += 1) outcomes.push(await write(n));
      expect(new Set(outcomes)).toEqual(new Set([undefined, "DISK_FULL"]));
      const before = acknowledged.length;
      expect(before).toBeGreaterThan(20);
      expect(await bot.listArticles()).toHaveLength(before);
      await bot.whenSearchable();
      expect(await bot.search("harbour", { topK: 100 })).toHaveLength(Math.min(100, before));
      const characters = (await bot.listArticles()).reduce((sum, { characterCount }) => sum + characterCount, 0);
      expect(await bot.stats()).toMatchObject({ characterUsed: characters, rateUsed: characters });
      await expect(bot.snapshot()).rejects.toMatchObject({ code: "DISK_FULL" });
      unlinkSync(filler);
      for (let n = 200; n < 210; n += 1) expect(await write(n)).toBeUndefined();
      await engine.close();
      const again = await Engine.open({ directory, embedders: {} });
      expect((await again.verify()).isWhole).toBe(true);
      expect((await (await again.bot("faulty")).listArticles()).map(({ id }) => id)).toEqual(acknowledged);
      await again.close();
      console.log(
        `a full disk of 1 MiB: ${acknowledged.length} writes acknowledged, ${200 + 10 - acknowledged.length} refused`,
      );
    });
  });

  it("that was mounted again for reading only is refused with one line, and changed in nothing", async () => {
    await onTmpfs(async (path) => {
      const directory = join(path, "data");
      await prepareFaulty(directory);
      expect(whyNot("mount", "-o", "remount,ro", path)).toBeUndefined();
      const refusal = await Engine.open({ directory, embedders: {} }).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(refusal).toMatchObject({ code: "NO_ACCESS", message: expect.stringContaining("can only be read") });
      expect(whyNot("mount", "-o", "remount,rw", path)).toBeUndefined();
      const engine = await Engine.open({ directory, embedders: {} });
      await (await engine.bot("faulty")).createArticle({ title: "One", body: "It goes on." });
      await engine.close();
    });
  });
});
