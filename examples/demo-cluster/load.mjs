/** Writes and asks, and knows what was acknowledged. */

/** @typedef {import("@loredex/client").LoredexClient} LoredexClient */

const WRITERS = 4;
const ASKERS = 2;

/** What clients were told, and what they saw. */
export class Told {
  /**
   * The last acknowledged body of each article, by its id.
   * @type {Map<string, string>}
   */
  bodies = new Map();
  /**
   * Ids of articles whose deletion was acknowledged.
   * @type {Set<string>}
   */
  deleted = new Set();
  created = 0;
  changed = 0;
  answered = 0;
  /** Acknowledged writes that the next request did not see. */
  unseen = 0;
  /** Writes that were given up: nobody was promised anything of them. */
  refused = 0;
  /** Questions without an answer. */
  unanswered = 0;
  /**
   * The number of acknowledged writes at each kill of a node.
   * @type {number[]}
   */
  kills = [];

  /** Acknowledged writes. */
  get writes() {
    return this.created + this.changed + this.deleted.size;
  }

  /** Kills while articles were written: some were acknowledged after the kill before it, and some after it. */
  get killsUnderWrites() {
    const { kills, writes } = this;
    return kills.filter((at, i) => at > (kills[i - 1] ?? 0) && (kills[i + 1] ?? writes) > at).length;
  }

  /** What the load has not shown, since too little happened: then a count of 0 losses says nothing. */
  get unshown() {
    const counts = {
      "no article was created": this.created,
      "none was changed": this.changed,
      "none was deleted": this.deleted.size,
      "no question was answered": this.answered,
      "no node was killed while articles were written": this.killsUnderWrites,
    };
    return Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [what] : []));
  }
}

/**
 * Has several writers and askers work at once, each of them one request after the other, until `isOver`.
 * @param {LoredexClient} client
 * @param {Told} told
 * @param {readonly string[]} questions
 * @param {() => boolean} isOver
 * @param {AbortSignal} signal
 */
export async function load(client, told, questions, isOver, signal) {
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let number = 1; !isOver(); number += 1) await write(client, told, `${writer + 1}-${number}`, number, signal);
  });
  const askers = Array.from({ length: ASKERS }, async (_, asker) => {
    for (let number = asker; !isOver(); number += 1) {
      try {
        await client.search(questions[number % questions.length] ?? "", { signal });
        told.answered += 1;
      } catch (error) {
        signal.throwIfAborted();
        told.unanswered += 1;
        console.log(`  a question was not answered: ${error}`);
      }
    }
  });
  await Promise.all([...writers, ...askers]);
}

/**
 * Creates an article and reads it. Every third one is then changed, every fifth one deleted.
 * @param {LoredexClient} client
 * @param {Told} told
 * @param {string} name
 * @param {number} number
 * @param {AbortSignal} signal
 */
async function write(client, told, name, number, signal) {
  /** @type {string | undefined} */
  let id;
  try {
    const body = `Parcel ${name} waits at the counter.`;
    const { article } = await client.createArticle({ title: `Parcel ${name}`, body }, { signal });
    id = article.id;
    told.created += 1;
    told.bodies.set(id, body);
    // Another node has the turn: it must know of the write.
    if ((await seenBody(client, id, signal)) !== body) told.unseen += 1;
    if (number % 3 === 0) {
      const newBody = `Parcel ${name} was collected.`;
      await client.updateArticle(id, { body: newBody }, { signal });
      told.changed += 1;
      told.bodies.set(id, newBody);
      if ((await seenBody(client, id, signal)) !== newBody) told.unseen += 1;
    }
    if (number % 5 === 0) {
      await client.deleteArticle(id, { signal });
      told.bodies.delete(id);
      told.deleted.add(id);
    }
  } catch (error) {
    signal.throwIfAborted();
    told.refused += 1;
    console.log(`  a request was given up: ${error}`);
    // It may have been carried out all the same.
    if (id !== undefined) told.bodies.delete(id);
  }
}

/**
 * @param {LoredexClient} client
 * @param {string} id
 * @param {AbortSignal} signal
 */
async function seenBody(client, id, signal) {
  try {
    return (await client.getArticle(id, { signal })).article.body;
  } catch (error) {
    if (error instanceof Error && "status" in error && error.status === 404) return undefined;
    throw error;
  }
}
