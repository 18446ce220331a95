import { ADMIN_CHANGES_PAGE_MAX, type AdminKeyInfo, type AdminKeyOptions, type NotedChange } from "@loredex/core";
import { jsonLine, oneLine, table } from "../terminal/terminal.ts";
import { type Command, count, flag, list } from "./command.ts";

export const adminKeyCreate: Command = {
  usage: "admin-key create NAME",
  summary: "make a key for the console and the admin API, shown once",
  positionals: [1, 1],
  options: {
    bot: {
      kind: "text",
      value: "BOT",
      many: true,
      help: "a bot that it may see; may be given again",
      setting: false,
      default: "all bots",
    },
    read: { kind: "switch", help: "it changes nothing", setting: false },
  },
  examples: ["admin-key create anna", "admin-key create editors --bot acme --read"],
  async run({ positionals: [name = ""], options, terminal, json, operator }) {
    const bots = list(options, "bot");
    const asked: AdminKeyOptions = { scope: flag(options, "read") ? "read" : "write", ...(bots && { bots }) };
    const key = await (await operator()).createAdminKey(name, asked);
    if (json) terminal.out(jsonLine({ key }));
    else terminal.out(`The admin key ${oneLine(name)}, which is shown only now:\n\n  ${key}\n`);
    return 0;
  },
};

export const adminKeyList: Command = {
  usage: "admin-key list",
  summary: "the admin keys, without their secrets",
  positionals: [0, 0],
  options: {},
  examples: ["admin-key list"],
  async run({ terminal, json, operator }) {
    const data = await operator();
    const keys = await data.listAdminKeys();
    if (json) terminal.out(jsonLine(keys));
    else if (keys.length === 0) terminal.err('There is no admin key; "loredex admin-key create" makes one.\n');
    else {
      const names = new Map((await data.listBots()).map(({ id, name }) => [id, name]));
      terminal.out(
        table(
          ["ADMIN KEY", "MAY", "BOTS", "CREATED"],
          keys.map((key) => row(key, names)),
        ),
      );
    }
    return 0;
  },
};

function row({ name, scope, bots, createdAt }: AdminKeyInfo, names: ReadonlyMap<string, string>): string[] {
  return [name, scope, bots?.map((id) => names.get(id) ?? id).join(", ") ?? "all", createdAt];
}

export const adminKeyRotate: Command = {
  usage: "admin-key rotate NAME",
  summary: "replace an admin key, shown once; the old one and its sessions end at once",
  positionals: [1, 1],
  options: {},
  examples: ["admin-key rotate anna --json"],
  async run({ positionals: [name = ""], terminal, json, operator }) {
    const key = await (await operator()).rotateAdminKey(name);
    if (json) terminal.out(jsonLine({ key }));
    else terminal.out(`The new admin key ${oneLine(name)}, which is shown only now:\n\n  ${key}\n`);
    return 0;
  },
};

export const adminKeyRevoke: Command = {
  usage: "admin-key revoke NAME",
  summary: "revoke an admin key, and end its sessions",
  positionals: [1, 1],
  options: {},
  examples: ["admin-key revoke anna"],
  async run({ positionals: [name = ""], terminal, json, operator }) {
    await (await operator()).revokeAdminKey(name);
    if (json) terminal.out(jsonLine({ revoked: name }));
    else terminal.err(`There is no admin key ${oneLine(name)} any more.\n`);
    return 0;
  },
};

export const changesCommand: Command = {
  usage: "changes",
  summary: "who changed what by an admin key, newest first",
  positionals: [0, 0],
  options: {
    limit: {
      kind: "count",
      value: "N",
      min: 1,
      max: ADMIN_CHANGES_PAGE_MAX,
      help: "most changes to show",
      setting: false,
      default: 100,
    },
  },
  more: "The last 10,000 changes are kept, without any content.\n",
  examples: ["changes --limit 20", "changes --json"],
  async run({ options, terminal, json, operator }) {
    const limit = count(options, "limit");
    const { changes } = await (await operator()).listChanges(limit === undefined ? {} : { limit });
    if (json) terminal.out(jsonLine(changes));
    else if (changes.length === 0) terminal.err("Nothing was changed by an admin key yet.\n");
    else terminal.out(table(["AT", "BY", "ACTION", "BOT", "TARGET"], changes.map(changeRow)));
    return 0;
  },
};

function changeRow({ at, by, action, bot = "", target = "" }: NotedChange): string[] {
  return [at, by, action, bot, target];
}
