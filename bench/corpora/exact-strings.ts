import { type Draw, drawBy } from "./noise-text.ts";

/**
 * Strings that people copy and do not reword, and articles in which one such string is all that tells them apart from others: what a support bot is asked for most exactly.
 */

/** A string as a document holds it, and as it is asked for: in the same writing or in another one. */
interface Drawn {
  readonly held: string;
  readonly asked: string;
  /** The same for all ways to write it: no two documents hold it. */
  readonly name: string;
}

/** How a string of each kind is made; plain where it is asked for as it is held. */
const KINDS: Readonly<Record<string, (draw: Draw) => string | Drawn>> = {
  phone: (draw) => `+1 ${digits(3, draw)} 555 ${digits(4, draw)}`,
  "IP address": (draw) => `192.168.${draw.below(32)}.${1 + draw.below(254)}`,
  "MAC address": (draw) => Array.from({ length: 6 }, () => hex(2, draw).toUpperCase()).join(":"),
  "KB number": (draw) => `KB${50}${digits(5, draw)}`,
  "key combination": (draw) =>
    [draw.oneOf(["Ctrl", "Alt", "Cmd"], "Ctrl"), draw.oneOf(["Shift", "Option", "Win"], "Shift"), key(draw)].join("+"),
  date: (draw) => `20${two(10 + draw.below(16))}-${two(1 + draw.below(12))}-${two(1 + draw.below(28))}`,
  time: (draw) => `${two(draw.below(24))}:${two(draw.below(60))}:${two(draw.below(60))}`,
  CVE: (draw) => `CVE-20${two(15 + draw.below(11))}-${digits(5, draw)}`,
  version: (draw) => `${draw.below(12)}.${draw.below(30)}.${draw.below(60)}`,
  price: (draw) => `$${1 + draw.below(900)}.${two(draw.below(100))}`,
  "error code": (draw) => `0x8007${hex(4, draw).toUpperCase()}`,
  "order number": (draw) => `ORD-${digits(4, draw)}-${digits(3, draw)}`,
  "number of a room": (draw) => digits(3, draw),
  "model name": (draw) =>
    `${draw.oneOf(["XPS", "LaserJet", "Galaxy"], "XPS")} ${letter(draw)}${digits(3, draw)}${letter(draw)}`,
  "e-mail address": (draw) => `${word(draw)}.${word(draw)}@example.com`,
  "name of a setting": (draw) => `${word(draw)}_${word(draw)}_max`,
  "option of a command": (draw) => `--${word(draw)}-${word(draw)}`,
  "version with a v": (draw) => {
    const name = closeVersion(draw);
    const held = draw.oneOf(["", "v"], "") + name;
    return { held, asked: held, name };
  },
  "version, other v": (draw) => {
    const name = closeVersion(draw);
    return draw.below(2) === 0 ? { held: name, asked: `v${name}`, name } : { held: `v${name}`, asked: name, name };
  },
  "version before release": (draw) =>
    `${1 + draw.below(2)}.${draw.below(8)}.${draw.below(12)}${draw.oneOf(["", "-rc1", "-rc2", "-beta.1"], "")}`,
  "code, other spelling": (draw) => {
    const [letters, number] = [draw.oneOf(["E", "KB", "ISO", "RTX", "ERR"], "E"), digits(4, draw)];
    const spellings = ["-", " ", ""].map((between) => letters + between + number);
    const held = draw.below(spellings.length);
    const asked = spellings[(held + 1 + draw.below(2)) % spellings.length] ?? "";
    return { held: spellings[held] ?? "", asked, name: letters + number };
  },
};

/** One of few: others differ from it by a digit at one of its ends. */
function closeVersion(draw: Draw): string {
  return `${1 + draw.below(22)}.${draw.below(12)}.${draw.below(40)}`;
}

export const EXACT_KINDS: readonly string[] = Object.keys(KINDS);

export interface ExactCase {
  readonly documents: readonly { readonly title: string; readonly body: string }[];
  /** Questions with the number of the document that holds their string. */
  readonly questions: readonly { readonly text: string; readonly document: number }[];
}

/** Documents that hold one string each of a kind, all different, and questions for some of them. The same seed gives the same ones. */
export function exactCase(kind: string, documents: number, questions: number, seed: number): ExactCase {
  const draw = drawBy(seed);
  const make = KINDS[kind];
  if (make === undefined) throw new Error(`unknown kind: ${kind}`);
  const strings = new Map<string, Drawn>();
  while (strings.size < documents) {
    const made = make(draw);
    const drawn = typeof made === "string" ? { held: made, asked: made, name: made } : made;
    if (!strings.has(drawn.name)) strings.set(drawn.name, drawn);
  }
  const all = [...strings.values()];
  const step = Math.floor(documents / questions);
  return {
    documents: all.map(({ held }, i) => ({ title: `Note ${titleOf(i)}`, body: bodyOf(held, draw) })),
    questions: Array.from({ length: questions }, (_, i) => {
      const asked = all[i * step]?.asked ?? "";
      const frame = QUESTIONS[i % QUESTIONS.length] ?? "";
      return { text: frame.replace("@", () => asked), document: i * step };
    }),
  };
}

const QUESTIONS = [
  "@",
  "What do we know about @?",
  "Where is @ mentioned?",
  "A customer asked about @, what should I tell them?",
];

const SUBJECTS = ["the printer in the hall", "a refund", "the billing page", "two-step sign-in", "the mobile app"]
  .concat(["the door lock", "a late parcel", "the mail server", "an expired licence", "the meeting room display"])
  .concat(["a broken charger", "the payroll export", "the visitor network", "a lost badge", "the backup drive"]);
const HAPPENED = [
  "was reported by several customers",
  "is handled by the second line",
  "needs a restart afterwards",
].concat(["was solved by our partner", "is documented in the handbook", "came up again last week"]);
const HOLDING = [
  "The entry for this case is @.",
  "See @ for what was done.",
  "It was recorded under @.",
  "We refer to it as @.",
];

function bodyOf(string: string, draw: Draw): string {
  const subject = draw.oneOf(SUBJECTS, "");
  const holding = draw.oneOf(HOLDING, "@").replace("@", () => string);
  return `This note is about ${subject}, which ${draw.oneOf(HAPPENED, "")}. ${holding}`;
}

/** Words only: a number would be a string of its own. */
function titleOf(number: number): string {
  return [...String(number)].map((digit) => DIGIT_WORDS[Number(digit)] ?? "").join(" ");
}

const DIGIT_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const SYLLABLES = ["ka", "lo", "mi", "ren", "tas", "vor", "dul", "pe", "zan", "quo", "bri", "sel"];

function word(draw: Draw): string {
  return `${draw.oneOf(SYLLABLES, "")}${draw.oneOf(SYLLABLES, "")}`;
}

function digits(count: number, draw: Draw): string {
  return Array.from({ length: count }, () => draw.below(10)).join("");
}

function hex(count: number, draw: Draw): string {
  return Array.from({ length: count }, () => draw.below(16).toString(16)).join("");
}

function letter(draw: Draw): string {
  return String.fromCharCode(65 + draw.below(26));
}

/** Of a keyboard; the rarer ones have names. */
function key(draw: Draw): string {
  return draw.oneOf([letter(draw), letter(draw), digits(1, draw), `F${1 + draw.below(12)}`, ...NAMED_KEYS], "X");
}

const NAMED_KEYS = [
  "Insert",
  "Delete",
  "Home",
  "End",
  "PageUp",
  "PageDown",
  "Left",
  "Right",
  "Up",
  "Down",
  "Tab",
  "Esc",
];

function two(number: number): string {
  return String(number).padStart(2, "0");
}
