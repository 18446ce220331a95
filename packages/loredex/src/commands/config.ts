import type { COMMON } from "../configuration/common-options.ts";
import {
  type Found,
  flagOf,
  keyOf,
  type Option,
  type Options,
  type OptionValue,
  settable,
  variableOf,
} from "../configuration/option.ts";
import type { Settings } from "../configuration/settings.ts";
import { jsonLine, table } from "../terminal/terminal.ts";
import type { Command, Invocation } from "./command.ts";

/** Replaces a value that must stay secret. */
const MASK = "********";
const CONFIG: keyof typeof COMMON = "config";

/** A setting that is in force. */
interface InForce {
  /** Its name in the file. */
  readonly name: string;
  readonly variable: string;
  /** Absent if it is not set. */
  readonly value?: OptionValue;
  /** The value as it was written, which is more readable: `4g`. */
  readonly text?: string;
  /** A variable, a path, an option, `default` or `not set`. */
  readonly from: string;
  /** The default, in words. */
  readonly default?: string;
}

/** @param options returns the options of all commands. It is called when this command runs, since this command is one of them */
export function configCommand(options: () => Options): Command {
  return {
    usage: "config",
    summary: "the settings in force, and where each comes from",
    more: `Most options can be set once for all: --top-k as LOREDEX_TOP_K in the environment, and as "topK" in the file loredex.config.json
of the working directory, or in the one that --config or LOREDEX_CONFIG names. What is said with a command goes before the
environment, and that before the file. A switch that is set is undone by =false: --json=false.
`,
    positionals: [0, 0],
    options: {},
    examples: ["config", "config --config /etc/loredex.config.json --json"],
    async run(invocation) {
      const { terminal, json, settings } = invocation;
      const all = options();
      const rows = settable(all, "environment").map((name) => inForce(name, all[name], invocation));
      if (json) terminal.out(jsonLine({ file: settings.file ?? null, settings: rows }));
      else
        terminal.out(
          table(
            ["SETTING", "VALUE", "FROM"],
            rows.map((row) => cells(row)),
          ),
        );
      return 0;
    },
  };
}

function inForce(name: string, option: Option | undefined, { given, settings }: Invocation): InForce {
  const said = given[name];
  const found =
    said === undefined
      ? (settings.find(name) ?? unnamed(name, settings))
      : { value: said, from: flagOf(name), text: String(said) };
  const isShown = option?.secret !== true && (option?.kind === "bytes" || option?.kind === "duration");
  return {
    name: keyOf(name),
    variable: variableOf(name),
    ...(found === undefined ? {} : { value: option?.secret === true ? MASK : withoutSecrets(found.value) }),
    ...(isShown && found !== undefined ? { text: found.text.trim() } : {}),
    from: found?.from ?? (option?.default === undefined ? "not set" : "default"),
    ...(option?.default === undefined ? {} : { default: String(option.default) }),
  };
}

/** The file of settings that was found in the working directory without being named. */
function unnamed(name: string, { file }: Settings): Found | undefined {
  return name === CONFIG && file !== undefined ? { value: file, from: "the working directory", text: file } : undefined;
}

/** Masks secrets in an address: its user name, password and query values. */
function withoutSecrets(value: OptionValue): OptionValue {
  if (typeof value !== "string") return value;
  // An address that cannot be parsed may hold a password as well.
  if (!URL.canParse(value)) return value.includes("://") ? MASK : value;
  const url = new URL(value);
  if (url.username === "" && url.password === "" && url.search === "") return value;
  if (url.username !== "" || url.password !== "") [url.username, url.password] = [MASK, ""];
  for (const name of url.searchParams.keys()) url.searchParams.set(name, MASK);
  return url.href;
}

function cells({ name, value, text, from, default: standard = "" }: InForce): string[] {
  return value === undefined ? [name, standard, from] : [name, text ?? String(value), from];
}
