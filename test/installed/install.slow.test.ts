import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hnswlibPart } from "../../packages/core/test/support/graph-kinds.ts";
import { type BackgroundServer, startInBackground } from "./background-server.ts";
import { whyNotInstalled } from "./npm.ts";
import { packedPackages } from "./packages.ts";
import { environmentOf, installedProject, type Project } from "./project.ts";
import { type Ended, removeDirectoriesAfterwards, run } from "./users-machine.ts";

/** The only package that comes along with an install script. It is optional: without it the nearest vectors are found by looking at all. */
const WITH_INSTALL_SCRIPT = "hnswlib-node";
/** Where nothing is: neither headers to build with nor a place to fetch them from. */
const NO_DOWNLOADS = { npm_config_nodedir: join("/", "nonexistent"), npm_config_disturl: "http://127.0.0.1:9/" };

const INSTALLATIONS = [
  { how: "with install scripts", options: {}, graph: true },
  { how: "with --ignore-scripts", options: { scripts: false }, graph: false },
  { how: "with install scripts that can fetch nothing", options: { settings: NO_DOWNLOADS }, graph: false },
] as const;

const QUESTION = "when do I get my money back";
const ANSWER = "A refund takes three working days.";

const why = await whyNotInstalled();
removeDirectoriesAfterwards();

describe.each(INSTALLATIONS)("installed from packed files, $how", ({ options, graph }) => {
  describe.skipIf(why !== undefined)(`the packages${why === undefined ? "" : ` (did not run: ${why})`}`, () => {
    let project: Project;
    let server: BackgroundServer | undefined;
    let key: string;

    beforeAll(async () => {
      project = await installedProject(options);
    });
    afterAll(() => server?.stop());

    const loredex = (...args: string[]): Promise<Ended> =>
      run("loredex", args, { cwd: project.directory, env: environmentOf(project) });

    /** Each module that is there, with whether npm knows a script that its installation runs. */
    const modules = async (): Promise<Map<string, boolean>> => {
      const lock = join(project.directory, "node_modules", ".package-lock.json");
      const { packages } = JSON.parse(await readFile(lock, "utf8")) as {
        packages: Record<string, { hasInstallScript?: boolean }>;
      };
      const there = Object.entries(packages).map(
        ([path, { hasInstallScript }]) => [path, hasInstallScript === true] as const,
      );
      return new Map(there.map(([path, script]) => [path.replace(/^.*node_modules\//, ""), script]));
    };

    it("are there, and npm has said nothing but that one package has a script", async () => {
      expect(project.installed.code).toBe(0);
      // Newer versions of npm name those whose scripts nobody has allowed; older ones say nothing.
      expect(project.installed.said.filter((line) => !line.startsWith("npm warn install-scripts"))).toEqual([]);
      const named = project.installed.said.flatMap((line) => /install-scripts {3}(\S+)@/.exec(line)?.[1] ?? []);
      expect([[], [WITH_INSTALL_SCRIPT]]).toContainEqual(named);
      const installed = await modules();
      const ours = (await packedPackages()).map(({ name }) => name);
      expect([...installed.keys()]).toEqual(expect.arrayContaining(ours));
      const scripts = [...installed].filter(([, script]) => script).map(([name]) => name);
      expect([[], [WITH_INSTALL_SCRIPT]]).toContainEqual(scripts);
    });

    it("make a bot and import pages until they are found by meaning", async () => {
      const made = await loredex("bot", "create", "acme", "--json");
      expect(made.err).toBe("");
      key = (JSON.parse(made.out) as { key: string }).key;
      await writeFile(join(project.directory, "refunds.md"), `# Refunds\n\n${ANSWER}\n`);
      await writeFile(join(project.directory, "hours.md"), "# Opening hours\n\nThe shop is open from nine to six.\n");
      const imported = await loredex("import", "acme", "refunds.md", "hours.md", "--wait-vectors");
      expect(imported).toMatchObject({ code: 0 });
      const shown = await loredex("bot", "show", "acme", "--json");
      const { vectors } = (JSON.parse(shown.out) as { stats: { vectors: Record<string, unknown> } }).stats;
      const { texts } = vectors;
      expect(texts).toBeGreaterThanOrEqual(2);
      expect(vectors).toMatchObject({ embedder: "minilm", vectors: texts, documentsWaiting: 0, failures: 0 });
      expect(vectors.missing).toBeUndefined();
    });

    it("serve over HTTP, and answer what was asked in other words", async () => {
      server = await startInBackground("loredex serve --port 0", project.directory, environmentOf(project));
      const response = await fetch(`${server.url}/api/v1/knowledge/search`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        body: JSON.stringify({ query: QUESTION }),
      });
      const [best] = (await response.json()) as { similarTextParts: { text: string }[] }[];
      expect(best?.similarTextParts[0]?.text).toBe(ANSWER);
      const shown = await loredex("bot", "show", "acme");
      expect(shown).toMatchObject({ code: 0, err: "" });
      expect(shown.out).toMatch(/minilm: (\d+) of \1 vectors made/);
      // Where there is no graph library nothing is wrong with a small bot: nobody has to hear of it.
      expect(server.err()).not.toMatch(/ (warn|error) /);
    });

    // Whether it can be built on this machine, the checkout tells: it was installed in the same way.
    const canTell = graph ? hnswlibPart : { isMissing: false, named: (name: string) => name };
    const which = `have the graph of large bots ${graph ? "built" : "left out"}, and nobody minds`;
    it.skipIf(canTell.isMissing)(canTell.named(which), async () => {
      const asked = 'try { await import("hnswlib-node"); console.log(true) } catch { console.log(false) }';
      const { out } = await run(process.execPath, ["--input-type=module", "-e", asked], { cwd: project.directory });
      expect(out.trim()).toBe(String(graph));
    });
  });
});
