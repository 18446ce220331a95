import type { RegistrationKind } from "../operator/operator.ts";
import { jsonLine, oneLine, table } from "../terminal/terminal.ts";
import { type Command, flag, UsageError } from "./command.ts";

/** Example names of agents and channels. */
const EXAMPLES: Readonly<Record<RegistrationKind, string>> = { agent: "ann", channel: "web" };

/** The commands for agents or for channels, which are the same. */
export function registrationCommands(kind: RegistrationKind): readonly Command[] {
  return [add(kind), set(kind), remove(kind), list(kind), show(kind)];
}

function add(kind: RegistrationKind): Command {
  return {
    usage: `${kind} add BOT ${nameOf(kind)}`,
    summary: `register ${oneOfThem(kind)} for strict creates`,
    positionals: [2, 2],
    options: { inactive: { kind: "switch", help: "known, but refused by strict creates", setting: false } },
    examples: [`${kind} add acme ${EXAMPLES[kind]}`],
    async run({ positionals: [bot = "", name = ""], options, terminal, json, operator }) {
      const active = !flag(options, "inactive");
      await (await operator()).putRegistration(bot, kind, name, active);
      if (json) terminal.out(jsonLine({ name, active }));
      else terminal.err(`${state(kind, name, active)}\n`);
      return 0;
    },
  };
}

function set(kind: RegistrationKind): Command {
  return {
    usage: `${kind} set BOT ${nameOf(kind)} --active | --inactive`,
    summary: `switch a registered ${kind}`,
    positionals: [2, 2],
    options: {
      active: { kind: "switch", help: "accepted by strict creates", setting: false },
      inactive: { kind: "switch", help: "refused by them", setting: false },
    },
    examples: [`${kind} set acme ${EXAMPLES[kind]} --inactive`],
    async run({ positionals: [bot = "", name = ""], options, terminal, json, operator }) {
      const active = flag(options, "active");
      if (active === flag(options, "inactive")) throw new UsageError("say either --active or --inactive");
      const way = await operator();
      if (!(await way.listRegistrations(bot, kind)).some((known) => known.name === name)) {
        terminal.err(`There is no ${kind} ${oneLine(name)}; "loredex ${kind} add" registers it.\n`);
        return 1;
      }
      await way.putRegistration(bot, kind, name, active);
      if (json) terminal.out(jsonLine({ name, active }));
      else terminal.err(`${state(kind, name, active)}\n`);
      return 0;
    },
  };
}

function remove(kind: RegistrationKind): Command {
  return {
    usage: `${kind} remove BOT ${nameOf(kind)}`,
    summary: `forget ${oneOfThem(kind)}`,
    positionals: [2, 2],
    options: {},
    examples: [`${kind} remove acme ${EXAMPLES[kind]}`],
    async run({ positionals: [bot = "", name = ""], terminal, json, operator }) {
      await (await operator()).removeRegistration(bot, kind, name);
      if (json) terminal.out(jsonLine({ removed: name }));
      else terminal.err(`The ${kind} ${oneLine(name)} is not registered any more.\n`);
      return 0;
    },
  };
}

function list(kind: RegistrationKind): Command {
  return {
    usage: `${kind} list BOT`,
    summary: `all registered ${kind}s`,
    positionals: [1, 1],
    options: {},
    examples: [`${kind} list acme`],
    async run({ positionals: [bot = ""], terminal, json, operator }) {
      const registered = await (await operator()).listRegistrations(bot, kind);
      const rows = registered.map(({ name, active }) => [name, active ? "yes" : "no"]);
      if (json) terminal.out(jsonLine(registered));
      else if (rows.length === 0) terminal.err(`No ${kind} is registered.\n`);
      else terminal.out(table([nameOf(kind), "ACTIVE"], rows));
      return 0;
    },
  };
}

function show(kind: RegistrationKind): Command {
  return {
    usage: `${kind} show BOT ${nameOf(kind)}`,
    summary: kind === "agent" ? "whether it is active, and the articles attached to it" : "whether it is active",
    positionals: [2, 2],
    options: {},
    examples: [`${kind} show acme ${EXAMPLES[kind]}`],
    async run({ positionals: [bot = "", name = ""], terminal, json, operator }) {
      const way = await operator();
      const known = (await way.listRegistrations(bot, kind)).find((registered) => registered.name === name);
      // Articles name agents as text, so an article may name an agent that is registered later, or never.
      const articles = kind === "agent" ? await way.articlesOfAgent(bot, name) : [];
      if (known === undefined && articles.length === 0) {
        terminal.err(`There is no ${kind} ${oneLine(name)}; "loredex ${kind} list" shows those that are.\n`);
        return 1;
      }
      if (json) {
        const shown = { name, registered: known !== undefined, active: known?.active ?? false };
        const attached = articles.map(({ id, title }) => ({ id, title }));
        terminal.out(jsonLine(kind === "agent" ? { ...shown, articles: attached } : shown));
        return 0;
      }
      terminal.out(`${state(kind, name, known?.active)}\n`);
      const rows = articles.map(({ id, title }) => [id, title]);
      if (rows.length > 0) terminal.out(table(["ARTICLE", "TITLE"], rows));
      return 0;
    },
  };
}

function nameOf(kind: RegistrationKind): string {
  return kind.toUpperCase();
}

function oneOfThem(kind: RegistrationKind): string {
  return kind === "agent" ? "an agent" : "a channel";
}

function state(kind: RegistrationKind, name: string, active: boolean | undefined): string {
  const is = active === undefined ? "not registered" : active ? "active" : "inactive";
  return `The ${kind} ${oneLine(name)} is ${is}.`;
}
