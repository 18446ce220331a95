import robotsParser from "robots-parser";
import { CRAWL_DELAY_MS_MAX } from "./limits.ts";
import { ROBOT_NAME } from "./user-agent.ts";
import { WebError } from "./web-error.ts";

/** The robots.txt rules of a site that apply to us. */
export interface RobotsRules {
  allows(address: string): boolean;
  /** The requested pause between two requests; 0 for none. */
  readonly delayMs: number;
  /** Addresses of the site's sitemaps, as robots.txt writes them. */
  readonly sitemaps: readonly string[];
}

const EVERYTHING: RobotsRules = { allows: () => true, delayMs: 0, sitemaps: [] };

/** Reads the text of a robots.txt. @throws WebError */
export type ReadRobots = (address: string) => Promise<string>;

/** The rules of all asked sites. Each robots.txt is read once. */
export class Robots {
  readonly #bySite = new Map<string, Promise<RobotsRules>>();

  /** @throws WebError if the rules cannot be known: then nothing of the site may be fetched */
  async of({ origin }: URL, read: ReadRobots): Promise<RobotsRules> {
    const known = this.#bySite.get(origin) ?? this.#rules(origin, read);
    this.#bySite.set(origin, known);
    return known;
  }

  async #rules(origin: string, read: ReadRobots): Promise<RobotsRules> {
    const address = `${origin}/robots.txt`;
    let text: string;
    try {
      text = await read(address);
    } catch (error) {
      if (!(error instanceof WebError)) {
        // This error says nothing about the site: its next address tries again.
        this.#bySite.delete(origin);
        throw error;
      }
      // A site without a robots.txt, or one that refuses it, has no rules (RFC 9309).
      if (error.kind !== "away") return EVERYTHING;
      throw new WebError("away", `its robots.txt cannot be read: ${error.message}`, { cause: error });
    }
    return rulesOf(address, text);
  }
}

/** Parses the rules of a robots.txt that apply to us. */
export function rulesOf(address: string, text: string): RobotsRules {
  const rules = robotsParser(address, text);
  const delayMs = (rules.getCrawlDelay(ROBOT_NAME) ?? 0) * 1_000;
  return {
    // A robots.txt says nothing about other sites.
    allows: (page) => rules.isAllowed(page, ROBOT_NAME) !== false,
    delayMs: Math.min(Math.max(0, delayMs), CRAWL_DELAY_MS_MAX),
    sitemaps: rules.getSitemaps(),
  };
}
