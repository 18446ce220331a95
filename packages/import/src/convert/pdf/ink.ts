/** Content of a page, in points from its left and upper edge, in reading orientation: rotated text is already upright. */

export interface FontStyle {
  readonly isBold: boolean;
  /** Monospaced, as far as is known after the page was read. */
  readonly isMono: boolean;
}

export interface Glyph {
  /** One character or a few (a ligature); a space is a glyph too, where the file has one. */
  readonly text: string;
  readonly x: number;
  /** Its baseline. */
  readonly y: number;
  readonly width: number;
  /** Font size in points. */
  readonly size: number;
  readonly font: FontStyle;
  /** The sign of its link. */
  readonly link?: string | undefined;
}

/** A link area of the page. */
export interface LinkField extends Rule {
  readonly sign: string;
}

/** A straight line or a thin bar. */
export interface Rule {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

export interface InkedPage {
  readonly width: number;
  readonly height: number;
  /** In drawing order. */
  readonly glyphs: readonly Glyph[];
  readonly rules: readonly Rule[];
  /** Number of glyphs without a known letter. */
  readonly unmapped: number;
  readonly hasPictures: boolean;
  /** True if words are lost because their font could not be read. */
  readonly lacksFont: boolean;
}
