import { describe, expect, it } from "vitest";
import type { Invocation } from "../src/commands/command.ts";
import { mcpCommand } from "../src/commands/mcp.ts";
import { NO_SETTINGS } from "../src/configuration/settings.ts";
import { CapturedTerminal } from "./support/captured-terminal.ts";
import { run, runIn } from "./support/run.ts";

const notFound = (name: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from here`), { code: "ERR_MODULE_NOT_FOUND" });

function invocation(): Invocation {
  return {
    ...{
      positionals: [],
      options: {},
      given: {},
      terminal: new CapturedTerminal(),
      json: false,
      place: { kind: "directory", directory: "" } as const,
    },
    ...{ settings: NO_SETTINGS, environment: {}, embedders: {} },
    operator: () => Promise.reject(new Error("it needs no data")),
  };
}

describe("loredex mcp", () => {
  it("says which line brings its package where it is not installed, and is not misled by one that lacks something else", async () => {
    const without = (name: string) => mcpCommand(() => Promise.reject(notFound(name))).run(invocation());
    await expect(without("@loredex/mcp")).rejects.toThrow("npm i @loredex/mcp (where loredex was installed with -g");
    await expect(without("zod")).rejects.toThrow("Cannot find package 'zod'");
  });

  it("begins nothing without an address and a key, and says so on stderr alone", async () => {
    expect(await run("mcp")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("say which server: --url"),
    });
    const keyless = await run("mcp", "--url", "http://127.0.0.1:1");
    expect(keyless).toMatchObject({ code: 2, out: "", err: expect.stringContaining("LOREDEX_KEY is not set") });
    expect(keyless.err).toContain('"loredex help mcp" says more.');
    const wrong = await runIn({ LOREDEX_KEY: "k", LOREDEX_URL: "nowhere" }, "mcp");
    expect(wrong).toMatchObject({ code: 2, out: "", err: expect.stringContaining("this is no address: nowhere") });
  });
});
