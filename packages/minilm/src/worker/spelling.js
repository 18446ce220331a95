/** The spelling of word pieces. */
import { CONTINUES } from "./plain-pieces.js";

/**
 * Returns a function from the id of a piece to its letters. The vocabulary is read at the first call: processes that only get passages never read it.
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
