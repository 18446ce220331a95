import { randomBytes } from "node:crypto";
import { FakeBot, Refusal } from "./fake-bot.ts";
import type { FakeAnswer, FakeRequest } from "./messages.ts";

const PAGE_ROWS = 100;
const MAGIC = "backup of ";

/** The routes of a bot that its operator uses. */
export function administer(
  bot: FakeBot,
  path: readonly string[],
  { method, body, parameters }: FakeRequest,
): FakeAnswer {
  const [area = "", name = "", action = ""] = path;
  const registered = area === "agents" ? bot.agents : bot.channels;
  switch (`${method} ${area}`) {
    case "GET ":
      return { data: { bot: bot.info(), stats: {} } };
    case "PUT ":
      set(bot, body);
      return { data: bot.info() };
    case "DELETE ":
      return { data: {} };
    case "GET keys":
      return { data: [...bot.keys].map(([name, key]) => ({ name, ...key })) };
    case "POST keys":
      if (action === "" && bot.keys.has(String(body.name)))
        throw new Refusal(409, 20018, "The bot has a key of this name.");
      if (action === "") bot.keys.set(String(body.name), { ...body, origins: body.origins ?? [] });
      return { data: { key: newKey() } };
    case "DELETE keys":
      bot.keys.delete(name);
      return { data: {} };
    case "GET agents":
    case "GET channels":
      return { data: [...registered].map(([name, active]) => ({ name, active })) };
    case "PUT agents":
    case "PUT channels":
      registered.set(name, body.active === true);
      return { data: {} };
    case "DELETE agents":
    case "DELETE channels":
      registered.delete(name);
      return { data: {} };
    case "GET backup":
      return {
        data: {},
        bytes: Buffer.from(`${MAGIC}${bot.name}${parameters.has("questions") ? " with questions" : ""}`),
      };
    default:
      throw new Refusal(404, 20002, `There is no route ${method} ${area}.`);
  }
}

function set(bot: FakeBot, changes: FakeRequest["body"]): void {
  const { name, quotaCharacters, questionLog, ...others } = changes;
  if (quotaCharacters !== undefined && typeof quotaCharacters !== "number")
    throw new Refusal(400, 1001, "quotaCharacters must be a whole number", "quotaCharacters");
  if (typeof questionLog === "boolean") bot.questionLog = questionLog;
  bot.name = String(name ?? bot.name);
  bot.quota = quotaCharacters ?? bot.quota;
  bot.settings = { ...bot.settings, ...others };
}

/** A new bot, with its key if that is new. */
export function made(
  bots: FakeBot[],
  name: string,
  hasNewKey: boolean,
  settings: FakeRequest["body"] = {},
): FakeAnswer {
  if (bots.some((each) => each.name === name)) throw new Refusal(409, 20017, "There is a bot of this name.");
  const bot = new FakeBot(name);
  set(bot, settings);
  bots.push(bot);
  return { data: { bot: bot.info(), ...(hasNewKey && { key: newKey() }) } };
}

/** The name of the bot that a backup has, or the asked one. */
export function restoredName({ bytes, parameters }: FakeRequest): string {
  const text = bytes.toString("utf8");
  if (!text.startsWith(MAGIC)) throw new Refusal(400, 1001, "The backup is damaged.", "body");
  return parameters.get("as") ?? text.slice(MAGIC.length);
}

export function pageOf(changes: readonly object[], parameters: URLSearchParams): FakeAnswer {
  const to = Number(parameters.get("before") ?? changes.length);
  const all = [...changes].reverse();
  const data = all.slice(Math.max(0, to - PAGE_ROWS), to).reverse();
  return {
    data: data.map((each) => ({ at: "2026-11-28T09:00:00Z", ...each })),
    next: to > PAGE_ROWS ? to - PAGE_ROWS : undefined,
  };
}

function newKey(): string {
  return `lore_${randomBytes(16).toString("hex")}`;
}
