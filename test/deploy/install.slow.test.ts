import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { startInBackground } from "../installed/background-server.ts";
import { whyNotInstalled } from "../installed/npm.ts";
import { ROOT } from "../installed/packages.ts";
import {
  directoryElsewhere,
  type Ended,
  removeDirectoriesAfterwards,
  run,
  usersEnvironment,
} from "../installed/users-machine.ts";

const why = await whyNotInstalled();
removeDirectoriesAfterwards();

/** What git has, as a build's context has it. */
function copyCheckout(target: string): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  for (const name of listed.split("\0")) {
    if (name === "" || !existsSync(join(ROOT, name))) continue;
    cpSync(join(ROOT, name), join(target, name), { recursive: true, mode: 0 });
    expect(dirname(name)).not.toContain("node_modules");
  }
}

/** The steps of deploy/Dockerfile without its container. */
describe.skipIf(why !== undefined)(
  `the steps of the Dockerfile${why === undefined ? "" : ` (did not run: ${why})`}`,
  () => {
    let app: string;
    let data: string;
    let installed: Ended;

    beforeAll(async () => {
      const source = await directoryElsewhere();
      app = await directoryElsewhere();
      data = await directoryElsewhere();
      copyCheckout(source);
      installed = await run("bash", ["deploy/install.sh", source, app], { cwd: source });
    });

    const environment = () => ({
      ...usersEnvironment(),
      NODE_ENV: "production",
      PATH: `${join(app, "node_modules", ".bin")}:${process.env.PATH}`,
      LOREDEX_DATA: data,
    });

    it("make an installation in which nothing is missing", () => {
      expect(installed.code, installed.err).toBe(0);
      expect(installed.out).toMatch(/ok +embedder minilm/);
    });

    it("leave out what only other platforms need", () => {
      const runtime = join(app, "node_modules", "onnxruntime-node", "bin", "napi-v3");
      expect(readdirSync(runtime)).toEqual([process.platform]);
      expect(readdirSync(join(runtime, process.platform))).toEqual([process.arch]);
      expect(readdirSync(join(app, "node_modules"))).not.toContain("typescript");
    });

    it("give a server that finds its directory in the environment, and commands beside it", async () => {
      const cwd = await directoryElsewhere();
      const server = await startInBackground("exec loredex serve --port 0", cwd, environment());
      const made = await run("loredex", ["bot", "create", "acme", "--json"], { cwd, env: environment() });
      expect(made).toMatchObject({ code: 0, out: expect.stringContaining("key") });
      await server.stop();
      expect(readdirSync(data)).toContain("stores");
    });
  },
);
