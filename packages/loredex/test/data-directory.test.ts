import { join } from "node:path";
import { Engine } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

describe("the data directory", () => {
  it("is not made by looking for one", async () => {
    const directory = join(await temporaryDirectory(), "none");
    const { code, err } = await run("bot", "list", "--data", directory);
    expect(code).toBe(1);
    expect(err).toContain("no data directory");
  });

  it("is in use while another program holds it", async () => {
    const directory = await temporaryDirectory();
    const engine = await Engine.open({ directory });
    const { code, err } = await run("bot", "list", "--data", directory);
    await engine.close();
    expect(code).toBe(1);
    expect(err).toContain("in use");
  });
});
