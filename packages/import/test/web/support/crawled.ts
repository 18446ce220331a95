import { type Conversion, ConversionError, type RawFile } from "../../../src/convert/conversion.ts";
import { Crawl, type CrawlSettings } from "../../../src/web/crawl.ts";
import type { Resolver } from "../../../src/web/hosts.ts";
import { pageAddress } from "../../../src/web/page-address.ts";
import { isPrivateAddress } from "../../../src/web/private-addresses.ts";
import { Web, type WebSettings } from "../../../src/web/web.ts";
import type { WebItem } from "../../../src/web/web-item.ts";
import { TestTime } from "./test-time.ts";

/** Names of hosts for tests. Where 127.0.0.1 is taken for a public address, so that a server of the test can be one. */
export function testResolver(names: Readonly<Record<string, readonly string[]>> = {}): Resolver {
  return {
    async resolve(host) {
      const found = names[host] ?? (host === "site.test" ? ["127.0.0.1"] : undefined);
      if (found === undefined) throw Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" });
      return found;
    },
    isPrivate: (address) => address !== "127.0.0.1" && isPrivateAddress(address),
  };
}

export function testWeb(settings: Partial<WebSettings> = {}): Web {
  return new Web({
    time: new TestTime(),
    resolver: testResolver(),
    requestsPerSecond: undefined,
    ignoreRobots: false,
    ...settings,
  });
}

/** Takes title, paragraphs and links of a page; of other kinds the text. */
export async function fakeConvert({ bytes, name, kind, url }: RawFile): Promise<Conversion> {
  const text = new TextDecoder().decode(bytes);
  if (text.includes("BROKEN")) throw new ConversionError("the page is broken");
  const title = /<title>([^<]{0,99})/.exec(text)?.[1] ?? name;
  const md = kind === "html" ? [...text.matchAll(/<p>([^<]{0,9999})/g)].map((found) => found[1]).join("\n\n") : text;
  const links = [...text.matchAll(/<a href="([^"]{0,2999})"/g)].flatMap(
    (found) => pageAddress(found[1] ?? "", url ?? "") ?? [],
  );
  return { page: { type: "WEBPAGE", metaData: { title }, content: [{ md }] }, faqs: [], notes: [], links };
}

/** What came of an address: pages by their paths, and the rest by what it says. */
export interface Crawled {
  readonly pages: readonly string[];
  readonly problems: readonly string[];
  readonly gone: readonly string[];
  readonly passedOver: readonly string[];
  /** Of what was passed over. */
  readonly reasons: readonly string[];
  readonly notes: readonly string[];
  readonly items: readonly WebItem[];
}

export async function crawled(start: string, settings: Partial<CrawlSettings & WebSettings> = {}): Promise<Crawled> {
  const { web = testWeb(settings), ...others } = settings;
  const crawl = new Crawl(pageAddress(start) ?? start, {
    web,
    convert: fakeConvert,
    follow: 0,
    pagesMax: 1_000,
    ignoreRobots: false,
    isKnown: () => false,
    hasBrought: false,
    hasOthers: () => false,
    ...others,
  });
  const items: WebItem[] = [];
  for await (const item of crawl.items()) items.push(item);
  const path = (address: string): string => address.replace(/^https?:\/\/[^/]+/, "");
  return {
    items,
    pages: items.flatMap((item) => (item.kind === "page" ? [path(item.address)] : [])),
    problems: items.flatMap((item) => (item.kind === "problem" ? [`${path(item.place)}: ${item.message}`] : [])),
    gone: items.flatMap((item) => (item.kind === "gone" ? [path(item.place)] : [])),
    passedOver: items.flatMap((item) => (item.kind === "passedOver" ? [path(item.place)] : [])),
    reasons: items.flatMap((item) => (item.kind === "passedOver" ? [item.why] : [])),
    notes: items.flatMap((item) => (item.kind === "note" ? [item.message] : [])),
  };
}
