import {
  DEFAULT_KEY,
  KEY_REQUESTS_PER_MINUTE_MAX,
  KEY_SCOPES,
  type KeyInfo,
  type KeyOptions,
  ValidationError,
} from "@loredex/core";
import { grouped, jsonLine, oneLine, table } from "../terminal/terminal.ts";
import { type Command, count, list, type OptionValues, oneOf, text } from "./command.ts";

export const keyAdd: Command = {
  usage: "key add BOT NAME",
  summary: "give a bot one more key, shown once; its others stay",
  positionals: [2, 2],
  options: {
    scope: {
      kind: "choice",
      value: "S",
      choices: KEY_SCOPES,
      help: "what it opens: all, or the search alone",
      setting: false,
      default: "all",
    },
    requests: {
      kind: "count",
      value: "N",
      min: 1,
      max: KEY_REQUESTS_PER_MINUTE_MAX,
      help: "most requests in a minute",
      setting: false,
      default: "as many as come",
    },
    origin: {
      kind: "text",
      value: "URL",
      many: true,
      help: "whose pages may use it in a browser, as https://shop.example.com; may be given again",
      setting: false,
      default: "nobody's",
    },
  },
  examples: ["key add acme site --scope search --requests 600 --origin https://shop.example.com"],
  async run({ positionals: [bot = "", name = ""], options, terminal, json, operator }) {
    const asked = keyOptions(options);
    const key = await (await operator()).addKey(bot, name, asked).catch((error: unknown) => {
      throw error instanceof ValidationError ? byFlags(error, asked) : error;
    });
    if (json) terminal.out(jsonLine({ key }));
    else terminal.out(`The key ${oneLine(name)} of ${oneLine(bot)}, which is shown only now:\n\n  ${key}\n`);
    return 0;
  },
};

function keyOptions(options: OptionValues): KeyOptions {
  const scope = oneOf("--scope", text(options, "scope"), KEY_SCOPES);
  const requestsPerMinute = count(options, "requests");
  const origins = list(options, "origin");
  return {
    ...(scope === undefined ? {} : { scope }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(origins === undefined ? {} : { origins }),
  };
}

/** Renames the fields of violations to the options of the command line. */
function byFlags({ violations, count }: ValidationError, { origins = [] }: KeyOptions): ValidationError {
  const said = violations.map(({ field, message, type }) => {
    const [option = "", place] = field.split(".");
    const flag = FLAGS.get(option);
    if (flag === undefined) return { field, message, type };
    const given = place === undefined ? flag : `${flag} ${origins[Number(place)] ?? ""}`;
    return { field: flag, message: message.replace(field, given), type };
  });
  return new ValidationError(said, count);
}

const FLAGS: ReadonlyMap<string, string> = new Map([
  ["origins", "--origin"],
  ["requestsPerMinute", "--requests"],
  ["scope", "--scope"],
]);

export const keyList: Command = {
  usage: "key list BOT",
  summary: "the keys of a bot, without their secrets",
  positionals: [1, 1],
  options: {},
  examples: ["key list acme"],
  async run({ positionals: [bot = ""], terminal, json, operator }) {
    const keys = await (await operator()).listKeys(bot);
    if (json) terminal.out(jsonLine(keys));
    else if (keys.length === 0) terminal.err(`${oneLine(bot)} has no key; "loredex key rotate" gives it one.\n`);
    else terminal.out(table(["KEY", "OPENS", "REQUESTS A MINUTE", "ORIGINS"], keys.map(row)));
    return 0;
  },
};

function row({ name, scope, requestsPerMinute, origins }: KeyInfo): string[] {
  return [
    name,
    scope,
    requestsPerMinute === undefined ? "any" : grouped(requestsPerMinute),
    origins.join(" ") || "none",
  ];
}

export const keyRotate: Command = {
  usage: "key rotate BOT [NAME]",
  summary: "replace a key of a bot, shown once; the old one is dead at once",
  positionals: [1, 2],
  options: {},
  more: `Without a name it is the key that the bot was made with, ${DEFAULT_KEY}.\n`,
  examples: ["key rotate acme --json", "key rotate acme site"],
  async run({ positionals: [bot = "", name = DEFAULT_KEY], terminal, json, operator }) {
    const data = await operator();
    const key = name === DEFAULT_KEY ? await data.rotateKey(bot) : await data.rotateNamedKey(bot, name);
    const which = name === DEFAULT_KEY ? "The new key" : `The new key ${oneLine(name)}`;
    if (json) terminal.out(jsonLine({ key }));
    else terminal.out(`${which} of ${oneLine(bot)}, which is shown only now:\n\n  ${key}\n`);
    return 0;
  },
};

export const keyRevoke: Command = {
  usage: "key revoke BOT [NAME]",
  summary: "take a key away from a bot",
  positionals: [1, 2],
  options: {},
  more: `Without a name it is the key that the bot was made with, ${DEFAULT_KEY}.\n`,
  examples: ["key revoke acme", "key revoke acme site"],
  async run({ positionals: [bot = "", name = DEFAULT_KEY], terminal, json, operator }) {
    const data = await operator();
    await (name === DEFAULT_KEY ? data.revokeKey(bot) : data.revokeNamedKey(bot, name));
    if (json) terminal.out(jsonLine({ revoked: name === DEFAULT_KEY ? bot : name }));
    else if (name !== DEFAULT_KEY) terminal.err(`${oneLine(bot)} has no key ${oneLine(name)} any more.\n`);
    else terminal.err(`${oneLine(bot)} has lost its key; "loredex key rotate" gives it a new one.\n`);
    return 0;
  },
};
