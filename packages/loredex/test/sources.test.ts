import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Engine } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { writeFiles } from "./support/files.ts";
import { type Outcome, run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

/** A data directory with the empty bot `b`, and files beside it. */
async function open(files: Readonly<Record<string, string>>) {
  const directory = await temporaryDirectory();
  await writeFiles(directory, files);
  const lx = (...argv: readonly string[]): Promise<Outcome> => run(...argv, "--data", join(directory, "data"));
  await lx("bot", "create", "b", "--embedder", "none");
  return {
    at: (name: string) => join(directory, name),
    write: (more: Readonly<Record<string, string>>) => writeFiles(directory, more),
    lx,
    json: async (...argv: string[]) => JSON.parse((await lx(...argv, "--json")).out),
    ids: async (): Promise<string[]> =>
      JSON.parse((await lx("list", "b", "--json")).out).map(({ id }: { readonly id: string }) => id),
  };
}

describe("from the command line", () => {
  it("a sync deletes nothing that another import brought", async () => {
    const kit = await open({ "prodA/docs/index.md": "A", "prodA/docs/only.md": "A", "prodB/docs/index.md": "B" });
    expect(await kit.lx("import", "b", kit.at("prodA/docs"))).toMatchObject({ code: 0 });
    const { code, err } = await kit.lx("import", "b", kit.at("prodB/docs"), "--sync");
    expect(code).toBe(1);
    expect(err).toContain("0 added, 0 changed, 0 unchanged, 0 removed, 1 failed");
    expect(err).toMatch(/prodB\/docs\/index\.md: .*belongs to the source ".*prodA\/docs".*--source NAME/);
    expect(err).toMatch(/prodB\/docs: nothing was removed/);
    expect((await kit.lx("show", "b", "file:docs/index.md")).out).toContain("A");
    expect(await kit.ids()).toHaveLength(2);
    expect(await kit.lx("import", "b", kit.at("prodB/docs"), "--source", "prodB", "--sync")).toMatchObject({ code: 0 });
    expect(await kit.ids()).toEqual(["file:docs/index.md", "file:docs/only.md", "file:prodB/index.md"]);
  });

  it("one edited file of a folder is replaced, not doubled", async () => {
    const kit = await open({ "hugo/about/page.md": "old", "hugo/about/team.md": "team" });
    await kit.lx("import", "b", kit.at("hugo/about"));
    await kit.write({ "hugo/about/page.md": "new" });
    const { code, err } = await kit.lx("import", "b", kit.at("hugo/about/page.md"), "--sync");
    expect([code, err]).toEqual([0, "0 added, 1 changed, 0 unchanged, 0 removed\n"]);
    expect(await kit.ids()).toEqual(["file:about/page.md", "file:about/team.md"]);
  });

  it("all sources are brought up to date by one command", async () => {
    const kit = await open({ "docs/a.md": "A", "docs/b.md": "B", "faq/f.md": "F" });
    expect((await kit.lx("sync", "b")).err).toContain("There is no source");
    await kit.lx("import", "b", kit.at("docs"));
    await kit.lx("import", "b", kit.at("faq"), "--source", "kb");
    await rm(kit.at("docs/b.md"));
    await writeFiles(kit.at("docs"), { "c.md": "C" });
    const { code, err } = await kit.lx("sync", "b");
    expect([code, err]).toEqual([
      0,
      `${kit.at("docs")}: 1 added, 0 changed, 1 unchanged, 1 removed\nkb: 0 added, 0 changed, 1 unchanged, 0 removed\n`,
    ]);
    await rm(kit.at("docs"), { recursive: true });
    const gone = await kit.lx("sync", "b");
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining("nothing was removed")]);
    expect(await kit.json("sync", "b", "kb")).toMatchObject([{ source: "kb", report: { unchanged: 1 } }]);
    expect(await kit.lx("sync", "b", "nobody")).toMatchObject({ code: 1 });
    expect(await kit.ids()).toHaveLength(3);
  });

  it("sources are listed, moved and taken out", async () => {
    const kit = await open({ "old/docs/a.md": "A", "old/docs/b.md": "B", "faq.md": "F" });
    expect((await kit.lx("source", "list", "b")).err).toContain("Nothing was imported");
    await kit.lx("import", "b", kit.at("old/docs"));
    await kit.lx("import", "b", kit.at("faq.md"), "--source", "kb");
    const importedAt = expect.stringMatching(/^\d{4}-.*Z$/);
    const settings = {};
    const report = (added: number) => ({ added, changed: 0, unchanged: 0, removed: 0, failed: 0, problems: [] });
    const [docs, kb] = [
      {
        name: "docs",
        kind: "folder",
        path: kit.at("old/docs"),
        ids: "file:docs/",
        settings,
        importedAt,
        report: report(2),
      },
      {
        name: "faq.md",
        kind: "file",
        path: kit.at("faq.md"),
        ids: "file:kb/faq.md",
        settings,
        importedAt,
        report: report(1),
      },
    ];
    expect(await kit.json("source", "list", "b")).toEqual([
      { name: kit.at("old/docs"), documents: 2, arguments: [docs] },
      { name: "kb", documents: 1, arguments: [kb] },
    ]);
    expect((await kit.lx("source", "list", "b")).out).toMatch(
      /SOURCE.*DOCUMENTS.*KIND.*LAST IMPORT.*RESULT.*PLACE\n.*old\/docs +2 +folder +\d\S+ +2 added +\//,
    );
    await writeFiles(kit.at("new"), {});
    await rename(kit.at("old"), kit.at("new"));
    const refused = await kit.lx("import", "b", kit.at("new/docs"), "--sync");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`loredex source move b "${kit.at("old/docs")}" "${kit.at("new/docs")}"`);
    expect(await kit.ids()).toHaveLength(3);
    expect(await kit.lx("source", "move", "b", "nobody", kit.at("new/docs"))).toMatchObject({ code: 1 });
    expect(await kit.lx("source", "move", "b", kit.at("old/docs"), kit.at("gone"))).toMatchObject({ code: 1 });
    expect(await kit.lx("source", "move", "b", kit.at("old/docs"), kit.at("faq.md"))).toMatchObject({ code: 1 });
    expect(await kit.json("source", "move", "b", `${kit.at("old/docs")}/`, kit.at("new/docs"))).toEqual({
      source: kit.at("new/docs"),
      path: kit.at("new/docs"),
    });
    await rm(kit.at("new/docs/b.md"));
    const { err } = await kit.lx("import", "b", kit.at("new/docs"), "--sync");
    expect(err).toBe("0 added, 0 changed, 1 unchanged, 1 removed\n");
    expect(await kit.ids()).toEqual(["file:docs/a.md", "file:kb/faq.md"]);
    expect(await kit.lx("source", "remove", "b", "kb")).toMatchObject({ code: 2 });
    expect(await kit.json("source", "remove", "b", "kb", "--yes")).toEqual({ removed: "kb", documents: 1 });
    expect(await kit.lx("source", "remove", "b", "kb", "--yes")).toMatchObject({ code: 1 });
    expect(await kit.ids()).toEqual(["file:docs/a.md"]);
  });

  it("a folder that goes by another name is not brought a second time", async () => {
    const kit = await open({ "handbook/a.md": "A", "handbook/b.md": "B", "handbook/sub/c.md": "C", "faq.md": "F" });
    await kit.lx("import", "b", kit.at("handbook"), kit.at("faq.md"));
    await rename(kit.at("handbook"), kit.at("manual"));
    await rm(kit.at("manual/b.md"));
    const refused = await kit.lx("import", "b", kit.at("faq.md"), kit.at("manual"), "--sync");
    const move = ["source", "move", "b", kit.at("handbook"), kit.at("manual")] as const;
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`2 of the 3 files`) });
    expect(refused.err).toContain(`loredex source move b "${kit.at("handbook")}" "${kit.at("manual")}"`);
    expect(refused.err).toContain("--source NAME");
    expect(await kit.ids()).toHaveLength(4);
    expect(await kit.lx(...move)).toMatchObject({ code: 0 });
    expect((await kit.lx("import", "b", kit.at("manual"), "--sync")).err).toBe(
      "0 added, 0 changed, 2 unchanged, 1 removed\n",
    );
    await kit.write({ "prodC/other.txt": "" });
    await rename(kit.at("manual"), kit.at("prodC/manual"));
    const again = await kit.lx("import", "b", kit.at("prodC/manual"), "--sync");
    expect(again.err).toContain(`loredex source move b "${kit.at("manual")}" "${kit.at("prodC/manual")}"`);
    expect(await kit.ids()).toEqual(["file:faq.md", "file:handbook/a.md", "file:handbook/sub/c.md"]);
    expect(await kit.lx("import", "b", kit.at("prodC/manual"), "--source", "kb")).toMatchObject({ code: 0 });
  });

  it("a folder that holds little of one that is gone, or what others brought, is its own", async () => {
    const kit = await open({ "gone/a.md": "A", "gone/b.md": "B", "gone/c.md": "C", "here/a.md": "another A" });
    await kit.write({ "docs/sub/a.md": "A", "docs/sub/b.md": "B", "empty/readme.exe": "" });
    await kit.lx("import", "b", kit.at("gone"), kit.at("docs"));
    await rm(kit.at("gone"), { recursive: true });
    for (const folder of ["here", "docs/sub", "empty"]) {
      expect(await kit.lx("import", "b", kit.at(folder), "--sync")).toMatchObject({ code: 0 });
    }
    expect(await kit.ids()).toHaveLength(6);
  });

  it("a source whose place is gone is marked, and a file beside it makes that known", async () => {
    const kit = await open({ "a.md": "A", "c.md": "C", "docs/d.md": "D" });
    await kit.lx("import", "b", kit.at("a.md"), kit.at("docs"));
    const listed = async () =>
      (await kit.json("source", "list", "b")).map(
        ({
          arguments: [place],
        }: {
          readonly arguments: readonly { readonly path: string; readonly gone?: true }[];
        }) => [place?.path, place?.gone],
      );
    expect((await kit.lx("source", "list", "b")).out).not.toContain("(gone)");
    await rename(kit.at("a.md"), kit.at("b.md"));
    expect(await listed()).toEqual([
      [kit.at("a.md"), true],
      [kit.at("docs"), undefined],
    ]);
    expect((await kit.lx("source", "list", "b")).out).toMatch(/a\.md \(gone\)\n.*docs\n/);
    expect((await kit.lx("import", "b", kit.at("docs"))).err).toBe("0 added, 0 changed, 1 unchanged\n");
    const { code, err } = await kit.lx("import", "b", kit.at("b.md"), kit.at("c.md"), "--sync");
    expect(code).toBe(0);
    expect(err.split(`loredex source remove b "${kit.at("a.md")}" --yes`)).toHaveLength(2);
    expect((await kit.lx("import", "b", kit.at("b.md"))).err).toBe("0 added, 0 changed, 1 unchanged\n");
    expect(await kit.lx("source", "remove", "b", kit.at("a.md"), "--yes")).toMatchObject({ code: 0 });
    expect(await kit.ids()).toEqual(["file:b.md", "file:c.md", "file:docs/d.md"]);
  });

  it("an import that brought nothing leaves no source, and keeps none from its place", async () => {
    const kit = await open({ "prodA/docs/a.md": "A", "prodB/docs/a.md": "B" });
    await kit.lx("import", "b", kit.at("prodA/docs"));
    expect((await kit.lx("import", "b", kit.at("prodB/docs"))).err).toContain("0 unchanged, 1 failed");
    expect(await kit.json("source", "list", "b")).toMatchObject([{ name: kit.at("prodA/docs"), documents: 1 }]);
    expect(await kit.lx("source", "move", "b", kit.at("prodA/docs"), kit.at("prodB/docs"))).toMatchObject({ code: 0 });
    expect((await kit.lx("import", "b", kit.at("prodB/docs"))).err).toBe("0 added, 1 changed, 0 unchanged\n");
  });

  it("a source that is still being imported for the first time, or was not to its end, is told as that", async () => {
    const kit = await open({ "docs/a.md": "A" });
    const engine = await Engine.open({ directory: kit.at("data") });
    const docs = { name: "docs", kind: "folder", path: kit.at("docs"), ids: "file:docs/" } as const;
    await (await engine.bot("b")).putSourceArgument("docs", docs);
    await engine.close();
    expect((await kit.lx("source", "list", "b")).out).toMatch(/docs +0 +folder +not to its end yet +\//);
  });

  it("a name that is none is wrong usage", async () => {
    const kit = await open({ "a.md": "A" });
    const { code, err } = await kit.lx("import", "b", kit.at("a.md"), "--source", "a/b");
    expect([code, err]).toEqual([2, expect.stringContaining("without slashes")]);
  });
});
