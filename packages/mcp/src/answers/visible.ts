/** The replacement of an invisible character. */
const SIGN = "\ufffd";

/** Code points without a glyph: format controls, private use, surrogates, and those that Unicode calls ignorable. */
const UNSEEN = String.raw`\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}`;
/** Controls, and characters that could pass for the end of a line. Tabs and line feeds stay, also those of CR LF. */
const CONTROLS = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029`;
/** Scripts in whose words a joiner or non-joiner has a meaning. */
const JOINING = ["Arab", "Syrc", "Nkoo", "Mand", "Mong", "Adlm", "Rohg", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml"]
  .concat(["Telu", "Knda", "Mlym", "Sinh", "Khmr", "Mymr", "Tibt", "Bali", "Java"])
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join("");
const LETTER = `(?![${UNSEEN}])[${JOINING}]`;
const SKIN = String.raw`[\u{1f3fb}-\u{1f3ff}]`;
const EMOJI = String.raw`\p{Extended_Pictographic}${SKIN}?`;

/** Positions where invisible characters belong to the visible text: one at each position, and no more. */
const MEANT = [
  // An emoji with its presentation, also joined to others: ❤️, 👩🏽‍💻, 🏳️‍🌈.
  String.raw`${EMOJI}[\ufe0e\ufe0f]?(?:\u200d${EMOJI}\ufe0f?)*`,
  // A key: 1️⃣.
  String.raw`[0-9#*]\ufe0f\u20e3`,
  // Between two letters of Persian, Hindi and their kin; at the end of a word only for the old chillus of Malayalam.
  String.raw`(?<=${LETTER})[\u200c\u200d](?=${LETTER})`,
  String.raw`(?<=\u0d4d)\u200d(?![${UNSEEN}])`,
  // A form of a Mongolian letter.
  String.raw`(?<=[\u1820-\u18aa])[\u180b-\u180d\u180f]`,
].join("|");

const ALL = new RegExp(String.raw`(${MEANT})|[${UNSEEN}${CONTROLS}]|\r(?!\n)`, "gu");

/**
 * Replaces invisible characters, in which orders to a model can be hidden, by U+FFFD. Characters that emoji and the words of some scripts need stay, one at
 * each position.
 */
export function visible(text: string): string {
  return text.replace(ALL, (_, meant: string | undefined) => meant ?? SIGN);
}

/**
 * Maps a position in the visible text to the original text.
 * @param place in UTF-16 units, as all positions in strings
 */
export function placeIn(text: string, place: number): number {
  let longer = 0;
  for (const { 0: sign, 1: meant, index } of text.matchAll(ALL)) {
    if (index - longer >= place) break;
    if (meant === undefined) longer += sign.length - SIGN.length;
  }
  return place + longer;
}

/** Makes all texts in a value visible, names of fields included, at any depth. */
function visibleValue(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(visibleValue);
  if (typeof value !== "object" || value === null) return value;
  return visibleFields(value);
}

/** Makes all texts in an object visible, names of fields included, at any depth. Of two fields that get the same name, the last one stays. */
export function visibleFields(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [visible(name), visibleValue(field)]));
}
