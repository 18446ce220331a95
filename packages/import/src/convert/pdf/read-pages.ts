import { withDropCaps } from "./drop-caps.ts";
import { gridsOf } from "./grid.ts";
import type { InkedPage, Rule } from "./ink.ts";
import type { PdfFile } from "./pdf-file.ts";
import { tableGrids } from "./ruled-tables.ts";
import type { LevelRule, SegmentedPage } from "./running.ts";
import { type Segment, segmentsOf } from "./segments.ts";

/** Ornaments. Fonts with their own letter numbers are converted to them by mistake; a few ornaments are meant. */
const DINGBATS = /[\u2750-\u2775\u2795-\u27bf]/g;

export interface ReadPages {
  readonly pages: readonly SegmentedPage[];
  readonly characters: number;
  /** Number of glyphs without a known letter. */
  readonly unmapped: number;
  readonly hasPictures: boolean;
  /** Pages with words in fonts that could not be read, from 0. */
  readonly lackingFonts: readonly number[];
  /** Pages that could not be read, from 0. */
  readonly unread: readonly number[];
}

/** Reads page by page, so that only the words of earlier pages stay in memory. */
export async function readPages(file: PdfFile): Promise<ReadPages> {
  const pages: SegmentedPage[] = [];
  const unread: number[] = [];
  let characters = 0;
  let unmapped = 0;
  let hasPictures = false;
  const lackingFonts: number[] = [];
  for (let i = 0; i < file.pageCount; i++) {
    try {
      const page = await file.page(i);
      const segments = withDropCaps(segmentsOfPage(page));
      pages.push({ width: page.width, height: page.height, segments, rules: levelRules(page.rules) });
      characters += segments.reduce((sum, { text }) => sum + text.length, 0);
      unmapped += page.unmapped + segments.reduce((sum, { text }) => sum + (text.match(DINGBATS)?.length ?? 0), 0);
      hasPictures ||= page.hasPictures;
      if (page.lacksFont) lackingFonts.push(i);
    } catch {
      unread.push(i);
      pages.push({ width: 1, height: 1, segments: [], rules: [] });
    }
  }
  return { pages, characters, unmapped, hasPictures, lackingFonts, unread };
}

/** Lines of drawings divide no words. */
function segmentsOfPage({ glyphs, rules }: InkedPage): Segment[] {
  const grids = gridsOf(rules);
  const segments = segmentsOf(glyphs, grids);
  const tables = tableGrids(segments);
  return tables.length === grids.length ? segments : segmentsOf(glyphs, tables);
}

const LEVEL_THICKNESS_MAX = 2;
const LEVEL_LENGTH_MIN = 20;
const LEVEL_RULES_MAX = 400;

/** Returns horizontal rules. Both edges of a bar are one line. */
function levelRules(rules: readonly Rule[]): LevelRule[] {
  const level = rules
    .filter(({ x0, x1, y0, y1 }) => y1 - y0 <= LEVEL_THICKNESS_MAX && x1 - x0 >= LEVEL_LENGTH_MIN)
    .map(({ x0, x1, y0, y1 }) => ({ x0, x1, y: (y0 + y1) / 2 }))
    .sort((a, b) => a.y - b.y || a.x0 - b.x0);
  return level.slice(0, LEVEL_RULES_MAX);
}
