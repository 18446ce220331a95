import { ADMIN_RESTORE_BYTES_MAX, LoredexError, NAME_CHARACTERS_MAX } from "@loredex/core";
import { violation } from "../errors.ts";
import type { Reply } from "../reply.ts";
import { aFlag, aText, maybe, readQuery } from "./fields.ts";
import { type AdminBotRequest, type AdminRequest, dataReply } from "./request.ts";

/** Uploads, backups and restores: bytes that stream for as long as the other side takes. */

/** `GET /bots/:bot/backup`. The first bytes are awaited before the answer begins, so that a refusal can be answered. */
export async function backup({ admin, identity, bot, query, transfers }: AdminBotRequest): Promise<Reply> {
  const { questions = false } = readQuery(query, { questions: maybe(aFlag) });
  const end = transfers.begin(identity);
  try {
    const bytes = admin.operator.backup(bot.id, questions ? { questions } : {})[Symbol.asyncIterator]();
    const first = await bytes.next();
    const name = bot.name.replace(/[^A-Za-z0-9._-]/g, "_");
    const headers = {
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${name}.loredex"`,
    };
    return { status: 200, headers, slices: [], stream: streamed(first, bytes, end) };
  } catch (error) {
    end();
    throw error;
  }
}

function streamed(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
  end: () => void,
): AsyncIterator<Uint8Array> {
  let ready: IteratorResult<Uint8Array> | undefined = first;
  return {
    next: async () => {
      const next = ready ?? (await rest.next());
      ready = undefined;
      if (next.done === true) end();
      return next;
    },
    return: async () => {
      end();
      await rest.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** `POST /restore` */
export async function restore({ admin, identity, query, bytes, names, transfers }: AdminRequest): Promise<Reply> {
  const { as } = readQuery(query, { as: maybe(aText({ max: NAME_CHARACTERS_MAX })) });
  const restored = await transfers.during(identity, () =>
    admin.operator.restore(bytes(ADMIN_RESTORE_BYTES_MAX), as).catch((error: unknown) => {
      throw isBadBackup(error) ? violation(error.message, "body", "backup") : error;
    }),
  );
  names({ bot: restored.bot.id });
  return dataReply(restored);
}

/** Whether the sent bytes are at fault, and not the service. */
function isBadBackup(error: unknown): error is LoredexError {
  return error instanceof LoredexError && (error.code === "CORRUPT" || error.code === "UNSUPPORTED_FORMAT");
}
