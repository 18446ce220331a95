import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest, ManifestTokenCodes, ModelFile } from "../../../packages/encoder/worker/index.js";

const MEAN = "signs-mean.f32";
const WEIGHTS = "signs-weights.u8";
const CARD = "MODEL.md";
const HEADING = "## Token codes";
/** What the section stands before. */
const NEXT = "## Limits";

/** What the model card says of how they were made. */
export interface Figures {
  readonly texts: number;
  /** Over the lines that the texts stand in. */
  readonly textsSha256: string;
  readonly languages: number;
  readonly windows: number;
  readonly windowsOfMean: number;
  readonly tokensOfMean: number;
  /** Where the texts are from. */
  readonly origin: string;
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Writes both files, and what the manifest and the model card say of them. The manifest's own version, and all else in it, stays. */
export function writeTokenCodes(
  directory: string,
  mean: Uint8Array,
  weights: Uint8Array,
  figures: Figures,
): ManifestTokenCodes {
  const write = (name: string, bytes: Uint8Array): ModelFile => {
    writeFileSync(join(directory, name), bytes);
    return { name, bytes: bytes.length, sha256: sha256(bytes) };
  };
  const files = { mean: write(MEAN, mean), weights: write(WEIGHTS, weights) };
  const path = join(directory, "manifest.json");
  const manifest: Manifest = JSON.parse(readFileSync(path, "utf8"));
  // Other weights make other scores of the same token codes: those that are kept stay.
  const tokenCodes = { version: sha256(`${manifest.version}${files.mean.sha256}`).slice(0, 12), files };
  writeFileSync(path, `${JSON.stringify({ ...manifest, tokenCodes }, undefined, 2)}\n`);
  const card = join(directory, CARD);
  writeFileSync(card, withSection(readFileSync(card, "utf8"), sectionOf(tokenCodes, figures)));
  return tokenCodes;
}

/** The card with this section in place of the one that it had, if it had one. */
export function withSection(card: string, section: string): string {
  const [before = "", after = ""] = card.split(NEXT);
  const [rest = ""] = before.split(HEADING);
  return `${rest.trimEnd()}\n\n${section}\n\n${NEXT}${after}`;
}

function sectionOf({ version, files }: ManifestTokenCodes, figures: Figures): string {
  const number = (value: number): string => value.toLocaleString("en-US");
  const { texts, textsSha256, languages, windows, windowsOfMean, tokensOfMean, origin } = figures;
  const rows = [files.mean, files.weights].map(
    (file) => `| \`${file.name}\` | ${number(file.bytes)} | \`${file.sha256}\` |`,
  );
  return `${HEADING}

Version \`${version}\`; it changes whenever token codes would, and no vector changes with it. The encoder gives one row of 384 numbers a token. Kept of it are the token codes, less a constant mean: 48 bytes a token.
The mean is that of ${number(tokensOfMean)} tokens in ${number(windowsOfMean)} texts of some 128 pieces, by the shipped graph, without the pieces that mark the ends of a text or its kind.
What a piece of a question weighs is a table: the logarithm of how few of ${number(windows)} such texts have it, in the language that has it most (${languages} counted), as a byte; 255 for a piece that none has.
The texts: ${origin} (${number(texts)} lines have SHA-256 \`${textsSha256}\`). None of them is shipped.

| file | bytes | SHA-256 |
|---|---|---|
${rows.join("\n")}

They are made by \`tools/encoder/make-signs.sh\`.`;
}
