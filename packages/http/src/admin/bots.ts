import type { BotSettings, KeyOptions, NewBot } from "@loredex/core";
import { NAME_CHARACTERS_MAX } from "@loredex/core";
import type { Reply } from "../reply.ts";
import { aBoolean, aText, readFields } from "./fields.ts";
import type { AdminBotRequest, AdminRequest } from "./request.ts";
import { DONE, dataReply, parameter } from "./request.ts";
import { maySee } from "./visibility.ts";

/** Bots with their settings, keys, agents and channels. */

export async function listBots({ admin, identity }: AdminRequest): Promise<Reply> {
  const bots = await admin.operator.fleet();
  return dataReply(bots.filter(({ id }) => maySee(identity, id)));
}

export async function createBot({ admin, json, names }: AdminRequest): Promise<Reply> {
  // Boundary: the engine checks every setting, and refuses unknown ones.
  const settings = (await json()) as unknown as NewBot;
  const created = await admin.operator.createBot(settings);
  names({ bot: created.bot.id });
  return dataReply(created);
}

export async function showBot({ admin, bot }: AdminBotRequest): Promise<Reply> {
  return dataReply(await admin.operator.showBot(bot.id));
}

export async function setBot({ admin, bot, json }: AdminBotRequest): Promise<Reply> {
  // Boundary: as in createBot.
  const changes = (await json()) as Partial<BotSettings>;
  return dataReply(await admin.operator.setBot(bot.id, changes));
}

export async function removeBot({ admin, bot }: AdminBotRequest): Promise<Reply> {
  await admin.operator.removeBot(bot.id);
  return DONE();
}

export async function listKeys({ admin, bot }: AdminBotRequest): Promise<Reply> {
  return dataReply(await admin.operator.listKeys(bot.id));
}

export async function addKey({ admin, bot, json, names }: AdminBotRequest): Promise<Reply> {
  const { name, ...options } = await json();
  const named = readFields({ name }, { name: aText({ max: NAME_CHARACTERS_MAX }) });
  // Boundary: as in createBot.
  const key = await admin.operator.addKey(bot.id, named.name, options as KeyOptions);
  names({ target: named.name });
  return dataReply({ key });
}

export async function rotateKey(request: AdminBotRequest): Promise<Reply> {
  const { admin, bot } = request;
  return dataReply({ key: await admin.operator.rotateNamedKey(bot.id, parameter(request, "name")) });
}

export async function revokeKey(request: AdminBotRequest): Promise<Reply> {
  const { admin, bot } = request;
  await admin.operator.revokeNamedKey(bot.id, parameter(request, "name"));
  return DONE();
}

type Kind = "agent" | "channel";

export const listRegistered =
  (kind: Kind) =>
  async ({ admin, bot }: AdminBotRequest): Promise<Reply> => {
    return dataReply(await admin.operator.listRegistrations(bot.id, kind));
  };

export const putRegistered =
  (kind: Kind) =>
  async (request: AdminBotRequest): Promise<Reply> => {
    const { active } = readFields(await request.json(), { active: aBoolean });
    await request.admin.operator.putRegistration(request.bot.id, kind, parameter(request, "name"), active);
    return DONE();
  };

export const removeRegistered =
  (kind: Kind) =>
  async (request: AdminBotRequest): Promise<Reply> => {
    await request.admin.operator.removeRegistration(request.bot.id, kind, parameter(request, "name"));
    return DONE();
  };

export async function articlesOfAgent(request: AdminBotRequest): Promise<Reply> {
  return dataReply(await request.admin.operator.articlesOfAgent(request.bot.id, parameter(request, "name")));
}
