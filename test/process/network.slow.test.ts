import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { encoder } from "../../packages/encoder/test/runtime.ts";
import { loredex, type ProcessSurroundings, runProgram, startServer } from "../../packages/loredex/test/support/cli.ts";
import { writeFiles } from "../../packages/loredex/test/support/files.ts";
import { temporaryDirectory } from "../../packages/loredex/test/support/temporary-directory.ts";
import { SEARCH } from "../http/client.ts";
import { optionalPart } from "../support/optional-part.ts";
import { whyNot } from "./fault-trial.ts";
import { isComplete, outwardCalls } from "./network-trace.ts";

const LIBRARY_ALONE = fileURLToPath(new URL("library-alone.ts", import.meta.url));
const LOOK_UP = fileURLToPath(new URL("look-up.ts", import.meta.url));
const strace = optionalPart(
  "strace",
  whyNot("strace", "-D", "-f", "-o", "/dev/null", "-e", "trace=network", "true"),
  {},
);

/** A directory for all that processes may touch, with an empty home, and traces of what they do beyond it. */
class Watch {
  readonly data: string;
  readonly #home: string;

  private constructor(readonly directory: string) {
    this.data = join(directory, "data");
    this.#home = join(directory, "home");
  }

  static async open(): Promise<Watch> {
    const watch = new Watch(await temporaryDirectory());
    await mkdir(watch.#home);
    return watch;
  }

  /** Where a process is watched. `name` is that of its trace. */
  surroundings(name: string): ProcessSurroundings {
    return {
      cwd: this.directory,
      behind: ["strace", "-D", "-f", "-q", "-o", this.#traceOf(name), "-e", "trace=network"],
      // The loader's own socket is below the temporary directory.
      environment: { PATH: process.env.PATH, HOME: this.#home, TMPDIR: this.directory },
    };
  }

  /** Calls of an ended process that lead out of the directory and off this machine. */
  async outward(name: string, pid: number): Promise<string[]> {
    const read = (): Promise<string> => readFile(this.#traceOf(name), "utf8");
    await expect.poll(async () => isComplete(await read(), pid)).toBe(true);
    const trace = await read();
    // Who saw nothing at all did not look.
    expect(trace).toContain("socket(");
    return outwardCalls(trace, this.directory);
  }

  leftAtHome(): Promise<string[]> {
    return readdir(this.#home, { recursive: true });
  }

  #traceOf(name: string): string {
    return join(this.directory, `${name}.trace`);
  }
}

describe.skipIf(strace.isMissing || encoder.isMissing)(
  strace.named(encoder.named("nothing goes over the network")),
  () => {
    it("from a server, nor from the commands that are given it, and nothing is left in the home directory", async () => {
      const watch = await Watch.open();
      await writeFiles(watch.directory, { "handbook/refunds.md": "# Refunds\n\nMoney comes back within 14 days.\n" });
      const server = await startServer(watch.data, watch.surroundings("serve"));
      const outward: string[] = [];
      const command = async (name: string, ...rest: readonly string[]): Promise<string> => {
        const { code, out, err, pid } = await loredex([name, ...rest, "--data", watch.data], watch.surroundings(name));
        expect(code, err).toBe(0);
        outward.push(...(await watch.outward(name, pid)));
        return out;
      };
      const key = /lore_[\w-]+/.exec(await command("bot", "create", "acme"))?.[0] ?? "";
      await command("import", "acme", "handbook", "--wait-vectors");
      expect(await command("search", "acme", "reimbursement deadline")).toContain("Refunds");
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const body = JSON.stringify({ query: "reimbursement deadline" });
      expect((await fetch(`${server.url}${SEARCH}`, { method: "POST", headers, body })).status).toBe(200);
      expect(await server.stop("SIGTERM")).toBe(0);
      outward.push(...(await watch.outward("serve", server.pid)));
      expect(outward).toEqual([]);
      expect(await watch.leftAtHome()).toEqual([]);
    });

    it("from a program with the engine and the encoder inside", async () => {
      const watch = await Watch.open();
      const { code, out, err, pid } = await runProgram(LIBRARY_ALONE, [watch.data], watch.surroundings("library"));
      expect([code, out.trim()], err).toEqual([0, JSON.stringify({ found: 1, waiting: 0, embedder: "minilm" })]);
      expect(await watch.outward("library", pid)).toEqual([]);
      expect(await watch.leftAtHome()).toEqual([]);
    });

    it("would be seen: a program that looks up a name is, and one that greets another machine", async () => {
      const watch = await Watch.open();
      const { pid } = await runProgram(LOOK_UP, [], watch.surroundings("look-up"));
      const outward = (await watch.outward("look-up", pid)).join("\n");
      expect(outward).toMatch(/htons\(53\)/);
      expect(outward).toMatch(/192\.0\.2\.1/);
    });
  },
);
