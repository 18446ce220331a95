/** A server on a free port with bots in memory, so that an example runs alone. */

import { Engine } from "@loredex/core";
import { createApiServer } from "@loredex/http";

const LIMITED_RATE = 1_000;

/**
 * @typedef {object} OwnServer
 * @property {string} baseUrl
 * @property {string} key of an empty bot
 * @property {string} limitedKey of a bot that may add 1,000 characters a minute, and is asked to wait a second or two before its next write
 */

/**
 * Runs `use` against a server that is gone afterwards.
 * @param {(service: OwnServer) => Promise<void>} use
 */
export async function withOwnServer(use) {
  const clock = new SkippingClock();
  const engine = await Engine.open({ clock });
  const server = createApiServer(engine);
  try {
    const { key } = await engine.createBot({ name: "example" });
    const limited = await engine.createBot({ name: "limited", rateCharactersPerMinute: LIMITED_RATE });
    const bot = await engine.bot(limited.bot.id);
    const title = "What fills the window";
    await bot.createArticle({ title, body: "-".repeat(LIMITED_RATE - title.length) });
    // Nobody wants to watch a whole minute pass.
    clock.skip(58_500);
    const { url } = await server.listen({ port: 0, host: "127.0.0.1" });
    await use({ baseUrl: url, key, limitedKey: limited.key });
  } finally {
    await server.close();
    await engine.close();
  }
}

/** The real time, plus what was skipped. */
class SkippingClock {
  #skippedMs = 0;

  /** @param {number} ms */
  skip(ms) {
    this.#skippedMs += ms;
  }
  wallMs() {
    return Date.now() + this.#skippedMs;
  }
  monotonicMs() {
    return performance.now() + this.#skippedMs;
  }
}
