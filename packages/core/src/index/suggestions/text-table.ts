import type { SuggestionKind } from "../../model/suggestions.ts";
import { GrowingUint32 } from "../../platform/growing-array.ts";
import { textHeapBytes } from "../../platform/heap-bytes.ts";
import type { SuggestedText } from "./suggested-texts.ts";
import { TokenTable } from "./token-table.ts";

/** The texts `[first, end)` of a document, and which version of it they are of. */
export interface OwnTexts {
  readonly version: number;
  readonly first: number;
  readonly end: number;
}

/** The slot of a removed text. */
export const REMOVED = 0xffff_ffff;

/** All suggested texts, one after the other. The texts of a document are consecutive. */
export class TextTable {
  readonly tokens = new TokenTable();
  readonly texts: string[] = [];
  readonly kinds: SuggestionKind[] = [];
  /** By text: the slot of its document, or {@link REMOVED}. */
  readonly slots = new GrowingUint32();
  /** By text: its first token among {@link tokenNumbers}. The next text begins where it ends. */
  readonly starts = new GrowingUint32();
  readonly tokenNumbers = new GrowingUint32();
  #removed = 0;
  #textBytes = 0;

  constructor() {
    this.starts.push(0);
  }

  get bytes(): number {
    const { slots, starts, tokenNumbers, tokens, texts } = this;
    // Two references to each text and its kind.
    return slots.bytes + starts.bytes + tokenNumbers.bytes + tokens.bytes + 16 * texts.length + this.#textBytes;
  }

  /** True if most texts are removed ones. */
  get isMostlyGone(): boolean {
    return this.#removed >= REMOVED_MIN && 2 * this.#removed > this.texts.length;
  }

  /** Adds the texts of a document. */
  add(slot: number, version: number, texts: readonly SuggestedText[]): OwnTexts {
    const first = this.texts.length;
    for (const text of texts) this.#add(slot, text);
    return { version, first, end: this.texts.length };
  }

  /** Adds a document's texts of another table. */
  copy(from: TextTable, { version, first, end }: OwnTexts): OwnTexts {
    const copied = this.texts.length;
    for (let at = first; at < end; at++) {
      const numbers = from.tokenNumbers.view().subarray(from.starts.get(at), from.starts.get(at + 1));
      const tokens = [...numbers].map((number) => from.tokens.at(number));
      const [text, kind] = [from.texts[at] as string, from.kinds[at] as SuggestionKind];
      this.#add(from.slots.get(at), { text, kind, tokens });
    }
    return { version, first: copied, end: this.texts.length };
  }

  #add(slot: number, { text, kind, tokens }: SuggestedText): void {
    for (const token of tokens) this.tokenNumbers.push(this.tokens.numberOf(token));
    this.starts.push(this.tokenNumbers.length);
    this.slots.push(slot);
    this.texts.push(text);
    this.kinds.push(kind);
    this.#textBytes += textHeapBytes(text);
  }

  /** Removes the texts of a document. Their memory is free after they were left out of a {@link copy}. */
  remove({ first, end }: OwnTexts): void {
    for (let at = first; at < end; at++) {
      this.slots.set(at, REMOVED);
      this.#textBytes -= textHeapBytes(this.texts[at] as string);
      this.texts[at] = "";
    }
    this.#removed += end - first;
  }
}

/** Fewer removed texts are not worth a copy. */
const REMOVED_MIN = 1_024;
