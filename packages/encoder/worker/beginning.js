const HIGH_SURROGATE_FIRST = 0xd800;
const HIGH_SURROGATE_LAST = 0xdbff;

/**
 * The beginning of a text, never ending within a character.
 * @param {string} text
 * @param {number} unitsMax UTF-16 units
 */
export function beginning(text, unitsMax) {
  if (text.length <= unitsMax) return text;
  const last = text.charCodeAt(unitsMax - 1);
  const splits = last >= HIGH_SURROGATE_FIRST && last <= HIGH_SURROGATE_LAST;
  return text.slice(0, splits ? unitsMax - 1 : unitsMax);
}
