import { describe, expect, it } from "vitest";
import { runMcpCommand } from "../src/command-line.ts";
import type { ServeMcpOptions } from "../src/serve-mcp.ts";

const KEY = { LOREDEX_KEY: "secret-key" };

async function run(argv: readonly string[], environment: Record<string, string> = KEY) {
  let [out, err] = ["", ""];
  const served: ServeMcpOptions[] = [];
  const code = await runMcpCommand(argv, {
    environment,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    serve: async (options) => void served.push(options),
  });
  return { code, out, err, served };
}

describe("the program", () => {
  it("takes the address from an argument or the environment, and the key from the environment", async () => {
    const url = "http://127.0.0.1:8080/help";
    expect((await run(["--url", url])).served).toMatchObject([{ url, key: "secret-key", readOnly: false }]);
    expect((await run(["--read-only"], { ...KEY, LOREDEX_URL: url })).served).toMatchObject([{ url, readOnly: true }]);
    const padded = await run(["--url", url], { LOREDEX_URL: "http://other", LOREDEX_KEY: " secret-key\n" });
    expect(padded.served).toMatchObject([{ url, key: "secret-key" }]);
  });

  it.each([
    [[], KEY, "say which server"],
    [["--url", "help.example.com"], KEY, "this is no address"],
    [["--url", "file:///etc/passwd"], KEY, "must begin with http"],
    [["--url", "http://me:word@a.test"], KEY, "holds a name or password"],
    [["--url", "http://a.test"], {}, "LOREDEX_KEY is not set"],
    [["--url", "http://a.test"], { LOREDEX_KEY: " " }, "LOREDEX_KEY is not set"],
    [["--url", "http://a.test"], { LOREDEX_KEY: "a b\nc" }, "characters that no key has"],
    [["--url", "http://a.test", "--key", "secret-key"], KEY, "--key"],
    [["secret-key"], KEY, "secret-key"],
  ])("says what is missing or wrong, and begins nothing (%#)", async (argv, environment, said) => {
    const { code, out, err, served } = await run(argv, environment);
    expect({ code, out, served }).toEqual({ code: 2, out: "", served: [] });
    expect(err).toContain(said);
    expect(err).toContain('"loredex-mcp --help" says more.');
  });

  it("says what it is", async () => {
    expect((await run(["--help"], {})).out).toContain("--read-only");
    expect((await run(["--version"], {})).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
