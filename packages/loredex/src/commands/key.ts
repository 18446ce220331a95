import { jsonLine, oneLine } from "../terminal/terminal.ts";
import type { Command } from "./command.ts";

export const keyRotate: Command = {
  usage: "key rotate BOT",
  summary: "give a bot a new key, shown once; the old one is dead at once",
  positionals: [1, 1],
  options: {},
  examples: ["key rotate acme --json"],
  async run({ positionals: [name = ""], terminal, json, operator }) {
    const key = await (await operator()).rotateKey(name);
    if (json) terminal.out(jsonLine({ key }));
    else terminal.out(`The new key of ${oneLine(name)}, which is shown only now:\n\n  ${key}\n`);
    return 0;
  },
};

export const keyRevoke: Command = {
  usage: "key revoke BOT",
  summary: "leave a bot without a key",
  positionals: [1, 1],
  options: {},
  examples: ["key revoke acme"],
  async run({ positionals: [name = ""], terminal, json, operator }) {
    await (await operator()).revokeKey(name);
    if (json) terminal.out(jsonLine({ revoked: name }));
    else terminal.err(`${oneLine(name)} has no key any more; "loredex key rotate" gives it a new one.\n`);
    return 0;
  },
};
