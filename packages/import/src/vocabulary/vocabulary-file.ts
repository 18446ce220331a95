import { extname } from "node:path";
import {
  kinds,
  parseVocabulary,
  requireArguments,
  ValidationError,
  type Vocabulary,
  type VocabularyInput,
} from "@loredex/core";
import { decodeText } from "../files/decoded-text.ts";
import { bytesOfFile } from "../files/user-files.ts";
import { readCsvVocabulary, writeCsvVocabulary } from "./csv-vocabulary.ts";
import { type RawVocabulary, UnreadableVocabulary } from "./raw-vocabulary.ts";
import { readYamlVocabulary, writeYamlVocabulary } from "./yaml-vocabulary.ts";

/** More than the largest vocabulary takes, with room for comments. */
const FILE_BYTES_MAX = 8 * 1_048_576;

/** A file that is no vocabulary, with its problems in the order of its lines. */
export class VocabularyFileError extends Error {
  override readonly name = "VocabularyFileError";

  constructor(
    readonly path: string,
    readonly problems: readonly { readonly line: number; readonly message: string }[],
  ) {
    super(problems.map(({ line, message }) => `${path}:${line}: ${message}`).join("\n"));
  }
}

type Format = "yaml" | "csv";

/** The format of a vocabulary file by its name: CSV for `.csv`, YAML for all others. JSON is YAML too. */
function formatOf(path: string): Format {
  return extname(path).toLowerCase() === ".csv" ? "csv" : "yaml";
}

/**
 * Reads a vocabulary from a file in YAML or CSV, by its extension.
 * @throws VocabularyFileError naming each wrong line, UserFileError for a file that cannot be read
 */
export async function readVocabularyFile(path: string): Promise<Vocabulary> {
  requireArguments("readVocabularyFile", { path }, { path: kinds.A_TEXT });
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of bytesOfFile(path, { takesPipe: true })) {
    bytes += piece.length;
    if (bytes > FILE_BYTES_MAX)
      throw new VocabularyFileError(path, [{ line: 1, message: `the file has more than ${FILE_BYTES_MAX} bytes` }]);
    pieces.push(piece);
  }
  try {
    const { text } = decodeText(Buffer.concat(pieces));
    return checked(formatOf(path) === "csv" ? readCsvVocabulary(text) : readYamlVocabulary(text));
  } catch (error) {
    if (error instanceof UnreadableVocabulary) throw new VocabularyFileError(path, error.problems);
    throw error;
  }
}

/** A vocabulary as the text of a file: reading it gives the same vocabulary. The format follows the name of the file. @throws ValidationError */
export function vocabularyText(vocabulary: VocabularyInput, path: string): string {
  requireArguments("vocabularyText", { path }, { path: kinds.A_STRING });
  const whole = parseVocabulary(vocabulary);
  return formatOf(path) === "csv" ? writeCsvVocabulary(whole) : writeYamlVocabulary(whole);
}

function checked({ value, lineOf }: RawVocabulary): Vocabulary {
  try {
    return parseVocabulary(value);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const problems = error.violations.map(({ field, message }) => ({ line: lineOf(field.split(".")), message }));
    throw new UnreadableVocabulary(problems.sort((a, b) => a.line - b.line));
  }
}
