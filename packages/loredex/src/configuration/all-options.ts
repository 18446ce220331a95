import { COMMON } from "./common-options.ts";
import { MODEL_SERVER } from "./model-server.ts";
import type { Option, Options } from "./option.ts";

/**
 * All options by name: options of every command, of each command, and pure settings.
 * If several commands share an option, the one that may be set wins. A test keeps them alike.
 */
export function allOptions(commands: readonly { readonly options: Options }[]): Options {
  const all = new Map<string, Option>();
  const defaults = new Map<string, Set<string>>();
  for (const options of [COMMON, ...commands.map((command) => command.options), MODEL_SERVER]) {
    for (const [name, option] of Object.entries(options)) {
      const known = all.get(name);
      if (known === undefined || known.setting === false) all.set(name, option);
      if (option.setting === false || option.default === undefined) continue;
      defaults.set(name, (defaults.get(name) ?? new Set()).add(String(option.default)));
    }
  }
  return Object.fromEntries([...all].map(([name, option]) => [name, { ...option, ...either(defaults.get(name)) }]));
}

/** The defaults of an option, which may differ by command. */
function either(defaults: ReadonlySet<string> | undefined): Pick<Option, "default"> {
  return defaults === undefined ? {} : { default: [...defaults].join(" or ") };
}
