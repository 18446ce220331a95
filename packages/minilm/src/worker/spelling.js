/** How the pieces are spelt. */
import { CONTINUES } from "./plain-pieces.js";

/**
 * A function from the id of a piece to its letters. Read when it is first asked: processes that are given passages alone never are.
 * @param {Uint8Array} tokenizerJson
 * @returns {(piece: number) => string}
 */
export function openSpelling(tokenizerJson) {
  /** @type {Map<number, string> | undefined} */
  let spelt;
  return (piece) => {
    spelt ??= readSpelling(tokenizerJson);
    return spelt.get(piece) ?? "";
  };
}

/** @param {Uint8Array} tokenizerJson */
function readSpelling(tokenizerJson) {
  /** @type {{ model: { vocab: Record<string, number> } }} */
  const { model } = JSON.parse(new TextDecoder().decode(tokenizerJson));
  /** @type {Map<number, string>} */
  const spelt = new Map();
  for (const [piece, id] of Object.entries(model.vocab)) {
    const continues = piece.startsWith(CONTINUES) && piece !== CONTINUES;
    spelt.set(id, continues ? piece.slice(CONTINUES.length) : piece);
  }
  return spelt;
}
