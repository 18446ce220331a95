import type { RegistrationKind } from "../operator/operator.ts";
import { oneLine, table } from "../terminal.ts";
import { type Command, flag, UsageError } from "./command.ts";

const ACTIVITY = { inactive: { type: "boolean" }, active: { type: "boolean" } } as const;

/** `agent` and `channel` have the same commands. */
export function registrationCommands(kind: RegistrationKind): readonly Command[] {
  const upper = kind.toUpperCase();
  const add: Command = {
    usage: `${kind} add BOT ${upper}`,
    summary: `register ${kind === "agent" ? "an agent" : "a channel"} for strict creates`,
    positionals: [2, 2],
    options: { inactive: { type: "boolean" } },
    optionHelp: [["--inactive", "known, but refused by strict creates"]],
    async run({ positionals: [bot = "", name = ""], options, operator }) {
      await (await operator()).putRegistration(bot, kind, name, !flag(options, "inactive"));
      return 0;
    },
  };
  const set: Command = {
    usage: `${kind} set BOT ${upper} --active | --inactive`,
    summary: `switch a registered ${kind}`,
    positionals: [2, 2],
    options: ACTIVITY,
    optionHelp: [
      ["--active", "accepted by strict creates"],
      ["--inactive", "refused by them"],
    ],
    async run({ positionals: [bot = "", name = ""], options, terminal, operator }) {
      const active = flag(options, "active");
      if (active === flag(options, "inactive")) throw new UsageError("say either --active or --inactive");
      const way = await operator();
      if (!(await way.listRegistrations(bot, kind)).some((known) => known.name === name)) {
        terminal.err(`There is no ${kind} ${oneLine(name)}; "loredex ${kind} add" registers it.\n`);
        return 1;
      }
      await way.putRegistration(bot, kind, name, active);
      return 0;
    },
  };
  const remove: Command = {
    usage: `${kind} remove BOT ${upper}`,
    summary: `forget ${kind === "agent" ? "an agent" : "a channel"}`,
    positionals: [2, 2],
    options: {},
    optionHelp: [],
    async run({ positionals: [bot = "", name = ""], operator }) {
      await (await operator()).removeRegistration(bot, kind, name);
      return 0;
    },
  };
  const list: Command = {
    usage: `${kind} list BOT`,
    summary: `all registered ${kind}s`,
    positionals: [1, 1],
    options: {},
    optionHelp: [],
    async run({ positionals: [bot = ""], terminal, json, operator }) {
      const registered = await (await operator()).listRegistrations(bot, kind);
      if (json) terminal.out(`${JSON.stringify(registered)}\n`);
      else
        terminal.out(
          `${table(
            [upper, "ACTIVE"],
            registered.map(({ name, active }) => [name, active ? "yes" : "no"]),
          )}\n`,
        );
      return 0;
    },
  };
  const show: Command = {
    usage: `${kind} show BOT ${upper}`,
    summary: kind === "agent" ? "whether it is active, and the articles attached to it" : "whether it is active",
    positionals: [2, 2],
    options: {},
    optionHelp: [],
    async run({ positionals: [bot = "", name = ""], terminal, json, operator }) {
      const way = await operator();
      const known = (await way.listRegistrations(bot, kind)).find((registered) => registered.name === name);
      const articles = kind === "agent" ? await way.articlesOfAgent(bot, name) : [];
      if (known === undefined && articles.length === 0) {
        terminal.err(
          `There is no ${kind} ${oneLine(name)}; "loredex ${kind} list ${oneLine(bot)}" shows those that are.\n`,
        );
        return 1;
      }
      const attached = articles.map(({ id, title }) => ({ id, title }));
      if (json) {
        const shown = { name, registered: known !== undefined, active: known?.active ?? false };
        terminal.out(`${JSON.stringify(kind === "agent" ? { ...shown, articles: attached } : shown)}\n`);
        return 0;
      }
      terminal.out(
        `${oneLine(name)}: ${known === undefined ? "not registered" : known.active ? "active" : "inactive"}\n`,
      );
      if (attached.length > 0)
        terminal.out(
          `${table(
            ["ARTICLE", "TITLE"],
            attached.map(({ id, title }) => [id, title]),
          )}\n`,
        );
      return 0;
    },
  };
  return [add, set, remove, list, show];
}
