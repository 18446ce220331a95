import type { PdfFile } from "./pdf-file.ts";
import type { SegmentedPage } from "./running.ts";
import { segmentsOf } from "./segments.ts";

export interface ReadPages {
  readonly pages: readonly SegmentedPage[];
  readonly characters: number;
  /** Glyphs that no letter is known for. */
  readonly unmapped: number;
  readonly hasPictures: boolean;
  /** Pages that could not be read, from 0. */
  readonly unread: readonly number[];
}

/** Reads page by page, so that only the words of those before stay in memory. */
export async function readPages(file: PdfFile): Promise<ReadPages> {
  const pages: SegmentedPage[] = [];
  const unread: number[] = [];
  let characters = 0;
  let unmapped = 0;
  let hasPictures = false;
  for (let i = 0; i < file.pageCount; i++) {
    try {
      const page = await file.page(i);
      const segments = segmentsOf(page.glyphs);
      pages.push({ width: page.width, height: page.height, segments });
      characters += segments.reduce((sum, { text }) => sum + text.length, 0);
      unmapped += page.unmapped;
      hasPictures ||= page.hasPictures;
    } catch {
      unread.push(i);
      pages.push({ width: 1, height: 1, segments: [] });
    }
  }
  return { pages, characters, unmapped, hasPictures, unread };
}
