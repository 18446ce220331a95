import { characterCount } from "../model/characters.ts";
import {
  ACTIVE_ON_ENTRIES_MAX,
  BODY_CHARACTERS_MAX,
  BODY_CHARACTERS_MIN,
  METADATA_CHARACTERS_MAX,
  METADATA_KEY_CHARACTERS_MAX,
  METADATA_KEYS_MAX,
  METADATA_VALUE_CHARACTERS_MAX,
  NAME_CHARACTERS_MAX,
  SOURCE_CHARACTERS_MAX,
  TITLE_CHARACTERS_MAX,
  TITLE_CHARACTERS_MIN,
} from "../model/limits.ts";
import type { ActiveOn, Metadata, MetadataValue } from "../model/types.ts";
import { beginning, type Fields, isFields, isLonger, own, Violations } from "../model/validation.ts";

/** A new article as its owner gives it, with defaults filled in. */
export interface ArticleDraft {
  readonly title: string;
  readonly body: string;
  readonly metadata: Metadata;
  readonly source?: string;
  readonly activeOn: readonly ActiveOn[];
}

/** The changes of an update. Absent fields stay; `source: null` removes the source. */
export interface ArticleChanges {
  readonly title?: string;
  readonly body?: string;
  readonly metadata?: Metadata;
  readonly source?: string | null;
  readonly activeOn?: readonly ActiveOn[];
}

/** Whether an agent or a channel is registered and active for the bot. */
export interface Registered {
  agent(name: string): boolean;
  channel(name: string): boolean;
}

const WRITABLE = ["title", "body", "metadata", "source", "activeOn", "strict"] as const;
const CREATE_FIELDS = new Set<string>(WRITABLE);
/** With the fields that the service sets: a client may send back an article as it got it. */
const UPDATE_FIELDS = new Set<string>([...WRITABLE, "id", "status", "createdAt", "updatedAt", "characterCount"]);

/** Whether metadata may have more characters than {@link METADATA_CHARACTERS_MAX}: metadata stored before there was a maximum is kept. */
export type IsKept = (metadata: Metadata) => boolean;

const NONE_KEPT: IsKept = () => false;
/** For metadata whose maximum depends on an article that is not known yet. */
export const ANY_METADATA: IsKept = () => true;

/**
 * Reads a new article.
 * @throws ValidationError naming every broken rule
 */
export function parseArticle(input: unknown, registered: Registered, isKept = NONE_KEPT): ArticleDraft {
  const violations = new Violations();
  const fields = violations.object("body", input);
  if (fields === undefined) return violations.throwIfAny() as never;
  violations.unknownFields(fields, CREATE_FIELDS);
  const title = required(fields, "title", violations, readTitle);
  const body = required(fields, "body", violations, readBody);
  const metadata = optional(fields, "metadata", violations, metadataReader(isKept));
  const source = optional(fields, "source", violations, readSource);
  const activeOn = optional(fields, "activeOn", violations, readActiveOn);
  const strict = optional(fields, "strict", violations, (value, all) => all.boolean("strict", value));
  if (strict === true && activeOn !== undefined) checkRegistered(activeOn, registered, violations);
  violations.throwIfAny();
  return {
    title: title ?? "",
    body: body ?? "",
    metadata: metadata ?? {},
    ...(source === undefined ? {} : { source }),
    activeOn: activeOn ?? [],
  };
}

/**
 * Reads an update.
 * @throws ValidationError naming every broken rule
 */
export function parseArticleChanges(input: unknown, isKept = NONE_KEPT): ArticleChanges {
  const violations = new Violations();
  const fields = violations.object("body", input);
  if (fields === undefined) return violations.throwIfAny() as never;
  violations.unknownFields(fields, UPDATE_FIELDS);
  const given = (name: string): boolean => own(fields, name) !== undefined;
  const title = given("title") ? readTitle(own(fields, "title"), violations) : undefined;
  const body = given("body") ? readBody(own(fields, "body"), violations) : undefined;
  const metadata = optional(fields, "metadata", violations, metadataReader(isKept));
  const source = optional(fields, "source", violations, readSource);
  const activeOn = optional(fields, "activeOn", violations, readActiveOn);
  optional(fields, "strict", violations, (value, all) => all.boolean("strict", value));
  violations.throwIfAny();
  return {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(own(fields, "metadata") === null ? { metadata: {} } : metadata === undefined ? {} : { metadata }),
    ...(own(fields, "source") === null ? { source: null } : source === undefined ? {} : { source }),
    ...(own(fields, "activeOn") === null ? { activeOn: [] } : activeOn === undefined ? {} : { activeOn }),
  };
}

/** Whether the valid input of a new article has `strict`: then its agents and channels must be registered. */
export function isStrict(input: unknown): boolean {
  return isFields(input) && own(input, "strict") === true;
}

type FieldReader<Value> = (value: unknown, violations: Violations) => Value | undefined;

function required<Value>(
  fields: Fields,
  name: string,
  violations: Violations,
  read: FieldReader<Value>,
): Value | undefined {
  const value = own(fields, name);
  if (value !== undefined) return read(value, violations);
  violations.add(name, "required", `${name} is required`);
  return undefined;
}

/** Reads an optional field. Absent and null are the same. */
function optional<Value>(
  fields: Fields,
  name: string,
  violations: Violations,
  read: FieldReader<Value>,
): Value | undefined {
  const value = own(fields, name);
  return value === undefined || value === null ? undefined : read(value, violations);
}

/** Scripts in which a whole word may have two characters. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** A text with more UTF-16 units has enough characters. */
const SHORT_UNITS_MAX = 2 * (TITLE_CHARACTERS_MIN - 1);

function readTitle(value: unknown, violations: Violations): string | undefined {
  if (typeof value === "string" && isShortCjk(value)) {
    const message = `title must have at least ${TITLE_CHARACTERS_MIN} characters, in Chinese, Japanese and Korean as well: add a word that says more, as in 退款说明 for 退款`;
    violations.add("title", "minLength", message);
    return undefined;
  }
  return violations.string("title", value, { min: TITLE_CHARACTERS_MIN, max: TITLE_CHARACTERS_MAX });
}

function isShortCjk(title: string): boolean {
  const isShort = title.length <= SHORT_UNITS_MAX && [...title].length < TITLE_CHARACTERS_MIN;
  return isShort && title.isWellFormed() && CJK.test(title);
}

function readBody(value: unknown, violations: Violations): string | undefined {
  return violations.string("body", value, { min: BODY_CHARACTERS_MIN, max: BODY_CHARACTERS_MAX });
}

function readSource(value: unknown, violations: Violations): string | undefined {
  const source = violations.string("source", value, { max: SOURCE_CHARACTERS_MAX });
  if (source === undefined) return undefined;
  if (/^https?:\/\/[^\s\p{Cc}]+$/iu.test(source) && URL.canParse(source)) return source;
  violations.add("source", "url", "source must be an absolute http or https URL");
  return undefined;
}

/** Makes a reader of metadata. It refuses more than {@link METADATA_CHARACTERS_MAX} characters in all, unless `isKept` accepts them. */
function metadataReader(isKept: IsKept): FieldReader<Metadata> {
  return (value, violations) => {
    const metadata = readMetadata(value, violations);
    if (metadata === undefined) return undefined;
    const characters = metadataCharacters(metadata);
    if (characters <= METADATA_CHARACTERS_MAX || isKept(metadata)) return metadata;
    const rule = `keys and values of metadata must have at most ${METADATA_CHARACTERS_MAX} characters together, not ${characters}`;
    violations.add("metadata", "maxLength", `${rule}: keep long texts in the body`);
    return undefined;
  };
}

/** Code points of all keys and values, as text. */
function metadataCharacters(metadata: Metadata): number {
  let sum = 0;
  for (const [key, value] of Object.entries(metadata)) sum += characterCount(key) + characterCount(String(value));
  return sum;
}

function readMetadata(value: unknown, violations: Violations): Metadata | undefined {
  const fields = violations.object("metadata", value);
  if (fields === undefined) return undefined;
  const entries = Object.entries(fields);
  if (entries.length > METADATA_KEYS_MAX) {
    violations.add("metadata", "maxItems", `metadata must have at most ${METADATA_KEYS_MAX} keys`);
    return undefined;
  }
  const read: [string, MetadataValue][] = [];
  for (const [key, item] of entries) {
    if (!key.isWellFormed()) {
      violations.add("metadata", "string", "a metadata key must be well-formed Unicode");
    } else if (isLonger(key, METADATA_KEY_CHARACTERS_MAX)) {
      violations.add(
        "metadata",
        "maxLength",
        `a metadata key must have at most ${METADATA_KEY_CHARACTERS_MAX} characters; one that begins with "${beginning(key)}" has more`,
      );
    } else if (typeof item === "string") {
      const text = violations.string(`metadata.${key}`, item, { max: METADATA_VALUE_CHARACTERS_MAX });
      if (text !== undefined) read.push([key, text]);
    } else if (typeof item === "boolean" || (typeof item === "number" && Number.isFinite(item))) {
      read.push([key, item]);
    } else {
      violations.add(
        "metadata",
        "metadataField",
        `A metadata key must be a string, number or boolean; "${key}" is not`,
      );
    }
  }
  return Object.fromEntries(read);
}

const ACTIVE_ON_FIELDS = new Set(["agent", "channel"]);

function readActiveOn(value: unknown, violations: Violations): readonly ActiveOn[] | undefined {
  if (!Array.isArray(value)) {
    violations.add("activeOn", "array", "activeOn must be an array");
    return undefined;
  }
  if (value.length > ACTIVE_ON_ENTRIES_MAX) {
    violations.add("activeOn", "maxItems", `activeOn must have at most ${ACTIVE_ON_ENTRIES_MAX} entries`);
    return undefined;
  }
  const entries: ActiveOn[] = [];
  for (const [i, entry] of value.entries()) {
    const at = `activeOn.${i}`;
    if (!isFields(entry)) {
      violations.add(at, "object", `${at} must be an object`);
      continue;
    }
    violations.unknownFields(entry, ACTIVE_ON_FIELDS, `${at}.`);
    const agent = own(entry, "agent");
    const readAgent = agent === undefined || agent === null ? undefined : readName(`${at}.agent`, agent, violations);
    const channel = own(entry, "channel");
    if (channel === undefined) violations.add(`${at}.channel`, "required", `${at}.channel is required`);
    const readChannel = channel === undefined ? undefined : readName(`${at}.channel`, channel, violations);
    // Object literals: an object that is spread from others takes five times the memory, and there may be a thousand.
    if (readChannel !== undefined)
      entries.push(readAgent === undefined ? { channel: readChannel } : { agent: readAgent, channel: readChannel });
  }
  return entries;
}

function readName(field: string, value: unknown, violations: Violations): string | undefined {
  return violations.string(field, value, { min: 1, max: NAME_CHARACTERS_MAX });
}

function checkRegistered(activeOn: readonly ActiveOn[], registered: Registered, violations: Violations): void {
  for (const [i, { agent, channel }] of activeOn.entries()) {
    const check = (field: string, name: string, isActive: boolean): void => {
      if (isActive) return;
      const what = `"${name}" is not an active ${field} of this bot`;
      violations.add(
        `activeOn.${i}.${field}`,
        "registered",
        `${what}; register it, or create the article without strict`,
      );
    };
    if (agent !== undefined) check("agent", agent, registered.agent(agent));
    check("channel", channel, registered.channel(channel));
  }
}
