import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ADMIN_ADDRESSES_MAX,
  ADMIN_FILE_NAME_CHARACTERS_MAX,
  ADMIN_UPLOAD_BYTES_MAX,
  type Engine as CoreEngine,
  LoredexError,
  ValidationError,
} from "@loredex/core";
import type { AdminJob } from "@loredex/http";
import { syncSources } from "@loredex/import";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consoleWords } from "../../src/admin/console-words.ts";
import { FileReports, PROBLEMS_OF_FILE_MAX, PROBLEMS_OF_JOB_MAX } from "../../src/admin/file-reports.ts";
import { ImportJobs } from "../../src/admin/import-jobs.ts";
import { Jobs } from "../../src/admin/jobs.ts";
import { checkFileName, receive, sweepUploads } from "../../src/admin/uploads.ts";
import { Engine } from "../../src/engine.ts";
import { engineOperator } from "../../src/operator/engine-operator.ts";
import { importTarget } from "../../src/operator/import-target.ts";
import type { Operator } from "../../src/operator/operator.ts";

async function* pieces(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === "string" ? Buffer.from(text) : text;
}

const uploads = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith("loredex-upload-"));

// A folder of its own: other tests upload files too.
const shared = process.env.TMPDIR;
beforeAll(async () => {
  process.env.TMPDIR = await mkdtemp(join(tmpdir(), "import-jobs-"));
});
afterAll(async () => {
  await rm(tmpdir(), { recursive: true });
  if (shared === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = shared;
});

let engine: CoreEngine;
let jobs: Jobs;
let bot: string;
let imports: ImportJobs;
const importsWith = (privateAddresses: boolean, failing: Partial<Operator> = {}): ImportJobs =>
  new ImportJobs({ operator: { ...engineOperator(engine), ...failing }, jobs, privateAddresses });

beforeEach(async () => {
  engine = await Engine.open({ embedders: {} });
  bot = (await engine.createBot({ name: "acme" })).bot.id;
  jobs = new Jobs(
    () => 0,
    () => undefined,
  );
  imports = importsWith(false);
});
afterEach(async () => {
  await jobs.close();
  await engine.close();
});

async function ended({ id }: AdminJob): Promise<AdminJob> {
  for (;;) {
    const job = jobs.get(bot, id);
    if (job !== undefined && job.state !== "running") return job;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A call that throws after some times. */
function failingAfter<Call extends (...given: never[]) => Promise<unknown>>(call: Call, times: number): Call {
  let left = times;
  return (async (...given: never[]) => {
    left -= 1;
    if (left < 0) throw new Error("not read");
    return call(...given);
  }) as Call;
}

const ids = async (): Promise<string[]> =>
  (await (await engine.bot(bot)).listDocuments()).map(({ resourceDocId }) => resourceDocId);

const PRIVATE = "private network, which is not fetched here unless its server runs with --console-private-addresses";

describe("an upload", () => {
  it("becomes a document, replaces itself the next time, and leaves no file", async () => {
    const before = await uploads();
    const first = await ended(
      await imports.upload(bot, {
        name: "handbook.md",
        source: "manuals",
        bytes: pieces("# Refu", "nds\n\nWithin 14 days.\n"),
      }),
    );
    expect(first).toMatchObject({
      kind: "upload",
      state: "done",
      done: 1,
      report: [{ file: "handbook.md", imported: 1, unchanged: 0, removed: 0, problems: [] }],
    });
    expect(await ids()).toEqual(["file:manuals/handbook.md"]);
    const same = await ended(
      await imports.upload(bot, {
        name: "handbook.md",
        source: "manuals",
        bytes: pieces("# Refunds\n\nWithin 14 days.\n"),
      }),
    );
    expect(same.report).toMatchObject([{ imported: 0, unchanged: 1 }]);
    const other = await ended(
      await imports.upload(bot, {
        name: "handbook.md",
        source: "manuals",
        bytes: pieces("# All new\n\nNothing of before.\n"),
      }),
    );
    expect(other.report).toMatchObject([{ imported: 1, unchanged: 0 }]);
    await ended(
      await imports.upload(bot, { name: "faq.csv", source: "manuals", bytes: pieces("question,answer\nWhen?,Now.\n") }),
    );
    expect(await ids()).toMatchObject(
      ["file:manuals/faq.csv", "file:manuals/handbook.md"].map((id) => expect.stringContaining(id)),
    );
    const [source] = await (await engine.bot(bot)).listSources();
    expect(source?.arguments.map(({ name, path }) => [name, path])).toEqual([
      ["handbook.md", "upload:/handbook.md"],
      ["faq.csv", "upload:/faq.csv"],
    ]);
    expect(source?.arguments[0]?.report).toMatchObject({ changed: 1 });
    expect(await uploads()).toEqual(before);
  });

  it("is left alone by a sync, which says so", async () => {
    await ended(await imports.upload(bot, { name: "a.md", bytes: pieces("# A\n\nText.\n") }));
    const synced = await syncSources(importTarget(engineOperator(engine), bot));
    expect(synced).toEqual([
      { source: "console", why: "it was uploaded, and is brought up to date by the next upload" },
    ]);
    const job = await ended(await imports.sync(bot, "console"));
    expect(job).toMatchObject({ kind: "sync", state: "failed", message: expect.stringContaining("it was uploaded") });
    expect(await ids()).toEqual(["file:console/a.md"]);
  });

  it("says what is wrong without options of the command line and folders of the server", async () => {
    const uploaded = async (name: string, text: string | Uint8Array, source?: string) => {
      const file = { name, bytes: pieces(text), ...(source === undefined ? {} : { source }) };
      const job = await ended(await imports.upload(bot, file));
      return JSON.stringify([job.message, job.report]);
    };
    expect(await uploaded("empty.md", "")).toContain("There is nothing to import in it");
    const unknown = await uploaded("x.xyz", Buffer.from([0, 1, 2, 3, 0]));
    expect(unknown).toContain("this kind of file cannot be imported; supported are");
    const row = '{"resourceDocId":"q1","type":"QNA","question":"Q?","answer":"One."}';
    await uploaded("a.jsonl", row, "one");
    const taken = await uploaded("a.jsonl", row.replace("One", "Another"), "two");
    expect(taken).toContain("one");
    const damaged = await uploaded("bad.pdf", "%PDF-1.4 garbage");
    for (const told of [unknown, taken, damaged]) {
      expect(told).not.toMatch(/--[a-z]|loredex |loredex-upload/);
      expect(told).toMatch(/"message":"[^"]{10}/);
    }
  });

  it.each([
    ["it is too long (--pages-max)", "it is too long"],
    [
      "it was read as X. If that is wrong, save it as UTF-8, or say what it is (--encoding)",
      "it was read as X. If that is wrong, save it as UTF-8",
    ],
    [
      'it belongs to "a" as b; import it without --source, or take that out first (loredex source remove)',
      'it belongs to "a" as b',
    ],
    [
      "Nothing was imported: it is gone. If it moved, say so: loredex source move a b.",
      "Nothing was imported: it is gone",
    ],
    ["no place /tmp/loredex-upload-aB3x/my.md here (twice)", "no place my.md here (twice)"],
    ["say --source NAME", "It could not be imported."],
  ])("tells %j as %j", (message, told) => expect(consoleWords(message)).toBe(told));

  it("reports problems by line", async () => {
    const lines = ['{"resourceDocId":"q1","type":"QNA","question":"Q?","answer":"A."}', "{", '{"type":"PDF"}'];
    const job = await ended(await imports.upload(bot, { name: "many.jsonl", bytes: pieces(lines.join("\n")) }));
    const [report, ...others] = Array.isArray(job.report) ? job.report : [];
    expect(others).toEqual([]);
    expect(report).toMatchObject({ file: "many.jsonl", imported: 1 });
    expect(report?.problems.map(({ line }: { line?: number }) => line)).toEqual([2, 3]);
    expect(JSON.stringify(job)).not.toContain(tmpdir());
  });

  it("of a kind that is not read is a problem, and no source stays", async () => {
    const job = await ended(await imports.upload(bot, { name: "photo.png", bytes: pieces("x") }));
    expect(job).toMatchObject({ state: "done", report: [{ imported: 0, problems: [{}] }] });
    expect(JSON.stringify(job)).not.toContain(tmpdir());
    expect(await (await engine.bot(bot)).listSources()).toEqual([]);
  });

  it.each([
    "",
    ".",
    "..",
    ".hidden.md",
    "../../etc/passwd",
    "a/b.md",
    "a\\b.md",
    "a\0.md",
    "a\nb.md",
    "\u202Edm.exe",
    " a.md",
    "x".repeat(ADMIN_FILE_NAME_CHARACTERS_MAX + 1),
    `${"ä".repeat(130)}.md`,
    "\ud800.md",
  ])("with the name %j is refused before a byte is read", async (name) => {
    const before = await uploads();
    let read = false;
    const bytes = (async function* () {
      read = true;
      yield Buffer.from("x");
    })();
    await expect(imports.upload(bot, { name, bytes })).rejects.toThrow(ValidationError);
    expect(() => checkFileName(name)).toThrow("name must be");
    expect(read).toBe(false);
    expect(await uploads()).toEqual(before);
  });

  it("may have any plain name", async () => {
    for (const name of ["a.md", "Ümläut & co (1).md", "手册.md", "a..b.md", "-rf.md", "%2e%2e.md"]) {
      const job = await ended(await imports.upload(bot, { name, bytes: pieces("# T\n\nText.\n") }));
      expect(job).toMatchObject({ state: "done", report: [{ file: name, problems: [] }] });
    }
    expect(await ids()).toHaveLength(6);
  });

  it("that is too long, or that the client gives up, imports nothing and leaves nothing", async () => {
    const before = await uploads();
    const piece = Buffer.alloc(ADMIN_UPLOAD_BYTES_MAX / 4 + 1);
    await expect(receive("a.md", pieces(piece, piece, piece, piece))).rejects.toThrow("64 MiB");
    const broken = (async function* () {
      yield Buffer.from("# A");
      throw new Error("the client left");
    })();
    await expect(imports.upload(bot, { name: "a.md", bytes: broken })).rejects.toThrow("the client left");
    await expect(imports.upload(bot, { name: "a.md", source: "a/b", bytes: pieces("x") })).rejects.toThrow("source");
    expect(await uploads()).toEqual(before);
    expect(jobs.list(bot)).toEqual([]);
  });

  it("that fails in the middle leaves no path of a temporary file in its source", async () => {
    const importDocument: Operator["importDocument"] = async () => {
      throw new LoredexError("READ_ONLY", "Nothing can be written.");
    };
    const own = engineOperator(engine);
    const file = { name: "a.md", bytes: pieces("# A\n\nText.\n") };
    const failed = await ended(await importsWith(false, { importDocument }).upload(bot, file));
    expect(failed).toMatchObject({ state: "failed", message: "Nothing can be written." });
    const [source] = await (await engine.bot(bot)).listSources();
    expect(source?.arguments.map(({ path }) => path)).toEqual(["upload:/a.md"]);
    // The error of the import is told, also if the place cannot be replaced.
    const listSources = failingAfter(own.listSources, 1);
    const again = { name: "b.md", bytes: pieces("# B\n\nText.\n") };
    const second = await ended(await importsWith(false, { importDocument, listSources }).upload(bot, again));
    expect(second).toMatchObject({ state: "failed", message: "Nothing can be written." });
  });

  it("of a process that ended is swept away after a day, and not before", async () => {
    const { path, remove } = await receive("a.md", pieces("x"));
    await sweepUploads(Date.now());
    expect(existsSync(path)).toBe(true);
    await sweepUploads(Date.now() + 86_500_000);
    expect(existsSync(path)).toBe(false);
    await remove();
  });
});

describe("an import of addresses", () => {
  let site: Server;
  let asked = 0;
  let address: string;
  beforeEach(async () => {
    asked = 0;
    site = createServer((_, response) => {
      asked += 1;
      response.writeHead(200, { "content-type": "text/html" });
      response.end(
        "<html><head><title>Inside</title></head><body><main><h1>Inside</h1><p>Secret text of the network.</p></main></body></html>",
      );
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const at = site.address();
    address = `http://127.0.0.1:${typeof at === "object" && at !== null ? at.port : 0}/page`;
  });
  afterEach(() => {
    site.closeAllConnections();
    site.close();
  });

  it("fetches nothing from a private network, also by a sync, unless that was allowed", async () => {
    const localhost = address.replace("127.0.0.1", "localhost");
    const job = await ended(await imports.importAddresses(bot, { addresses: [address, localhost], source: "site" }));
    expect(job).toMatchObject({ kind: "import", state: "done" });
    const report = Array.isArray(job.report) ? job.report : [];
    expect(report.map(({ file, imported }) => [file, imported])).toEqual([
      [address, 0],
      [localhost, 0],
    ]);
    for (const { problems } of report) expect(problems[0]?.message).toContain(PRIVATE);
    expect(asked).toBe(0);
    expect(await ids()).toEqual([]);

    const allowed = await ended(await importsWith(true).importAddresses(bot, { addresses: [address], source: "site" }));
    expect(allowed).toMatchObject({ state: "done", report: [{ file: address, imported: 1, problems: [] }] });
    expect(await ids()).toEqual([address]);
    const before = asked;
    await ended(await imports.sync(bot, "site"));
    expect(asked).toBe(before);
    expect(await ids()).toEqual([address]);
  });

  it("keeps the reports of the first addresses if a later one fails", async () => {
    const addresses = ["a", "b", "c"].map((name) => `${address}/${name}`);
    const own = engineOperator(engine);
    let count = 0;
    const importDocument: Operator["importDocument"] = async (...given) => {
      count += 1;
      if (count === 3) throw new LoredexError("READ_ONLY", "Nothing can be written.");
      return own.importDocument(...given);
    };
    const job = await ended(await importsWith(true, { importDocument }).importAddresses(bot, { addresses }));
    expect(job).toMatchObject({
      ...{ state: "failed", message: "Nothing can be written.", done: 2 },
      report: addresses.slice(0, 2).map((file) => ({ file, imported: 1, problems: [] })),
    });
  });

  it("takes addresses alone: no path of the server's disk", async () => {
    const folder = await mkdtemp(join(tmpdir(), "admin-test-"));
    const path = join(folder, "secret.md");
    await writeFile(path, "# Secret\n\nText.\n");
    for (const wrong of [path, `file://${path}`, "-", "ftp://x/y", "http://", `https://x/${"y".repeat(2_048)}`]) {
      await expect(imports.importAddresses(bot, { addresses: ["https://example.com/", wrong] })).rejects.toThrow(
        "addresses.1",
      );
    }
    const many = Array.from({ length: ADMIN_ADDRESSES_MAX + 1 }, (_, n) => `https://example.com/${n}`);
    await expect(imports.importAddresses(bot, { addresses: many })).rejects.toThrow(`1 to ${ADMIN_ADDRESSES_MAX}`);
    await expect(imports.importAddresses(bot, { addresses: [] })).rejects.toThrow("addresses");
    await expect(imports.sync(bot, "none")).rejects.toThrow("There is no source none.");
    expect(jobs.list(bot)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});

describe("the report of a job", () => {
  it("has a bound for each file, and for all files and addresses together", () => {
    const reports = new FileReports();
    const none = { added: 1, changed: 1, unchanged: 2, removed: 3, notSynced: [] };
    const problem = (file: number, line: number) => ({ place: `f${file}:${line}`, message: "m".repeat(5_000) });
    const many = Array.from({ length: 5_000 }, (_, n) => problem(n, 1));
    reports.add({ ...none, problems: Array.from({ length: 150 }, (_, n) => problem(0, n + 1)) } as never, "f0");
    reports.add({ ...none, problems: many } as never, "folder", { note: "a note" });
    const [first, second, ...others] = reports.all;
    expect(first).toMatchObject({ file: "f0", imported: 2, unchanged: 2, removed: 3 });
    expect(first?.problems).toHaveLength(PROBLEMS_OF_FILE_MAX + 1);
    expect(first?.problems[0]?.message.length).toBeLessThan(1_100);
    expect(first?.problems.at(-1)).toEqual({ message: "Further problems that are not listed: 50." });
    const listed = PROBLEMS_OF_JOB_MAX - PROBLEMS_OF_FILE_MAX;
    expect(second).toMatchObject({
      ...{ file: "folder", imported: 2 },
      problems: [{ message: `Further problems that are not listed: ${5_000 - listed}.` }, { message: "a note" }],
    });
    expect(others).toHaveLength(listed);
    expect(others[0]).toMatchObject({ file: "f0", imported: 0, problems: [{ line: 1 }] });
  });
});
