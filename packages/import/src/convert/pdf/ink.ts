/** What stands on a page, in points from its left and upper edge, as it is read: turned text is already upright. */

export interface FontStyle {
  readonly isBold: boolean;
  /** All letters equally wide, as far as is known when the page has been read. */
  readonly isMono: boolean;
}

export interface Glyph {
  /** One character or a few (a ligature); a space is a glyph too, where the file has one. */
  readonly text: string;
  readonly x: number;
  /** Its baseline. */
  readonly y: number;
  readonly width: number;
  /** Of its font, in points. */
  readonly size: number;
  readonly font: FontStyle;
  /** The sign of the link that it belongs to. */
  readonly link?: string | undefined;
}

/** A field of the page that leads elsewhere. */
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
  /** In the order in which the file draws them. */
  readonly glyphs: readonly Glyph[];
  readonly rules: readonly Rule[];
  /** Glyphs that no letter is known for. */
  readonly unmapped: number;
  readonly hasPictures: boolean;
  /** Words of it are in a font that could not be read, and are lost. */
  readonly lacksFont: boolean;
}
