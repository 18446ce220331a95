import { Crawl, type CrawlSettings } from "../../web/crawl.ts";
import type { FoundPage } from "../../web/web-item.ts";
import type { Target } from "../belonging/target.ts";
import { bytesOf, documentsOf } from "./converted-documents.ts";
import type { SourceItem } from "./read-file.ts";
import type { Reading } from "./read-source.ts";

/** How the pages of an address are read. */
export interface AddressReading extends CrawlSettings, Pick<Reading, "place"> {
  /** True if missing pages are removed: then a missing page is no problem. */
  readonly sync: boolean;
  /** Also imports unfinished pages. */
  readonly drafts: boolean;
}

/** Reads an address argument: its page, or the pages that it leads to. */
export async function* readAddress({ real }: Target, reading: AddressReading): AsyncGenerator<SourceItem> {
  for await (const item of new Crawl(real, reading).items()) {
    if (item.kind === "page") yield* readPage(item, reading);
    else if (item.kind === "note") yield { ...item, place: real };
    else if (item.kind !== "gone") yield item;
    // All pages must be read before it is known if their documents may be removed.
    else if (reading.sync) yield { kind: "note", place: real, message: item.message };
    else yield { kind: "problem", place: real, message: item.message };
  }
}

async function* readPage({ address, conversion }: FoundPage, reading: AddressReading): AsyncGenerator<SourceItem> {
  const placement = await reading.place({ real: address, inside: "" });
  if (placement.kind === "again") return;
  if (placement.kind === "refused") {
    yield { kind: "problem", place: address, message: placement.message };
    return;
  }
  if (conversion.isDraft === true && !reading.drafts) {
    yield { kind: "draft", place: address };
    return;
  }
  const { documents, notes } = documentsOf(conversion, placement.id, address);
  for (const message of notes) yield { kind: "note", place: address, message, file: address };
  const { origin } = placement;
  for (const document of documents)
    yield { kind: "document", document, origin, file: address, place: address, bytes: bytesOf(document) };
}
