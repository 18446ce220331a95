import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { machineProgram } from "../../../../test/support/machine-program.ts";
import { COMMANDS, wordsOf } from "../../src/commands/all.ts";
import { writeFiles } from "../support/files.ts";
import { run } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** What bash offers where the cursor stands behind the last word. */
async function offered(line: string, cwd?: string): Promise<string[]> {
  const directory = cwd ?? (await temporaryDirectory());
  const script = join(directory, ".completion.bash");
  await writeFile(script, (await run("completion", "bash")).out);
  // As readline cuts a line into words.
  const words = [...(line.match(/=|[^\s=]+/g) ?? []), ...(/\s$/.test(line) ? [""] : [])];
  const asked = `source ${script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _loredex; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync("bash", ["--norc", "-c", asked, "bash", ...words], { cwd: directory, encoding: "utf8" });
  return out.split("\n").filter((each) => each !== "");
}

describe("bash", () => {
  it("is offered every command, and after its words every option", async () => {
    const first = await offered("loredex ");
    for (const command of COMMANDS) {
      const [one = "", two] = wordsOf(command);
      expect(first).toContain(one);
      if (two !== undefined) expect(await offered(`loredex ${one} `)).toContain(two);
    }
    for (const command of COMMANDS.slice(0, 12)) {
      const options = await offered(`loredex ${wordsOf(command).join(" ")} x --`);
      for (const name of [...Object.keys(command.options), "data", "json"]) expect(options).toContain(`--${name}`);
    }
  }, 60_000);

  it.each([
    ["loredex se", ["serve", "search"]],
    ["loredex bot cr", ["create"]],
    ["loredex --data here bot l", ["list"]],
    ["loredex --data=here bot l", ["list"]],
    ["loredex help bo", ["bot"]],
    ["loredex search acme x --quality ", ["best", "fast"]],
    ["loredex search acme x --quality=f", ["fast"]],
    ["loredex import acme --type T", ["TABLE"]],
    ["loredex list acme --type Q", ["QNA"]],
    ["loredex search acme ", []],
    ["loredex serve --port ", []],
    ["loredex nonsense ", []],
  ])("%s", async (line, words) => {
    expect((await offered(line)).sort()).toEqual([...words].sort());
  });

  it("is offered files where a command takes some, with spaces in their names too", async () => {
    const cwd = await temporaryDirectory();
    await writeFiles(cwd, { "one two.md": "x", "other.md": "x" });
    expect((await offered("loredex import acme o", cwd)).sort()).toEqual(["one two.md", "other.md"]);
    expect((await offered("loredex bot list --data o", cwd)).sort()).toEqual(["one two.md", "other.md"]);
    expect(await offered("loredex bot show o", cwd)).toEqual([]);
  });
});

describe.each(["bash", "zsh", "fish"])("the script for %s", (shell) => {
  const program = machineProgram(shell);

  it.skipIf(program.isMissing)(program.named("is one that it can read"), async () => {
    const script = join(await temporaryDirectory(), "script");
    await writeFile(script, (await run("completion", shell)).out);
    expect(execFileSync(shell, ["-n", script], { encoding: "utf8" })).toBe("");
  });

  it("has every command and every option", async () => {
    const { out } = await run("completion", shell);
    for (const command of COMMANDS) {
      for (const word of [...wordsOf(command), ...Object.keys(command.options)]) expect(out).toContain(word);
    }
  });
});
