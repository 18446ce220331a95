import { join } from "node:path";
import { nearest } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { findCommand } from "../src/arguments/find-command.ts";
import { checkNumber, optionsOf, parse } from "../src/arguments/parse.ts";
import { COMMANDS, wordsOf } from "../src/commands/all.ts";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

/** The words of a command line as a shell would give them. */
function words(line: string): string[] {
  return [...line.replace(/ [>|].*$/, "").matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain = ""]) => quoted ?? plain,
  );
}

describe("every command", () => {
  it.each(COMMANDS.map((command) => [command.usage, command] as const))(
    "%s has examples that it understands",
    (_, command) => {
      for (const example of command.examples) {
        const called = findCommand(words(example));
        expect(called.command?.usage).toBe(command.usage);
        const { positionals } = parse(command, called.rest);
        checkNumber(command, positionals);
      }
    },
  );

  it("shows its examples in its help, and what each option takes", async () => {
    for (const command of COMMANDS) {
      const { out } = await run("help", ...wordsOf(command));
      for (const example of command.examples) expect(out).toContain(`  loredex ${example}\n`);
      for (const [name, option] of Object.entries(optionsOf(command))) {
        expect(out).toContain(option.kind === "switch" ? `--${name}` : `--${name} ${option.value} `);
        // A default is a value, or what stands for one: no sentence that was cut.
        expect(String(option.default ?? "")).not.toMatch(/ (?:is|are|was|has|of|the)$/);
      }
    }
  });

  it("has options that take a value in all commands or in none, so that they can be told from arguments", () => {
    const kinds = new Map<string, Set<boolean>>();
    for (const command of COMMANDS) {
      for (const [name, { kind }] of Object.entries(optionsOf(command))) {
        kinds.set(name, (kinds.get(name) ?? new Set()).add(kind === "switch"));
      }
    }
    expect([...kinds].filter(([, seen]) => seen.size > 1)).toEqual([]);
  });
});

it("options of every command may stand before its words, between them and after them", async () => {
  const data = join(await temporaryDirectory(), "data");
  const made = await run("--data", data, "--json", "bot", "create", "acme");
  expect(made.code).toBe(0);
  const expected = await run("bot", "list", "--json", "--data", data);
  expect(JSON.parse(expected.out)).toMatchObject([{ name: "acme" }]);
  for (const argv of [
    ["--data", data, "--json", "bot", "list"],
    [`--data=${data}`, "bot", "--json", "list"],
    ["bot", "--data", data, "list", "--json"],
  ]) {
    expect(await run(...argv)).toEqual(expected);
  }
  expect((await run("-h", "bot", "list")).out).toContain("Usage: loredex bot list");
});

it("a value that looks like an option is taken for a forgotten one, unless it is joined", async () => {
  expect((await run("bot", "list", "--data", "--json")).err).toContain(
    "--data takes a value; one that begins with a dash",
  );
  expect((await run("bot", "list", "--data=--json")).err).toContain("There is no data directory --json");
});

it("a switch can be undone", async () => {
  expect(await run("doctor", "--help=false", "--json=false", "x")).toMatchObject({ code: 2 });
  expect((await run("bot", "list", "--json=maybe")).err).toContain('--json is true or false, not "maybe"');
});

it.each([
  ["prot", "port"],
  ["lsit", "list"],
  ["hots", "host"],
  ["xxxx", undefined],
])("two letters that changed places are one mistake: %s", (given, meant) => {
  expect(nearest(given, ["port", "list", "host", "memory"])).toBe(meant);
});
