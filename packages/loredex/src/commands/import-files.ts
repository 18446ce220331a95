import {
  CONVERSION_MEMORY_BYTES_DEFAULT,
  CONVERSION_MEMORY_BYTES_MAX,
  CONVERSION_MEMORY_BYTES_MIN,
  CONVERSION_SECONDS_DEFAULT,
  CONVERSION_SECONDS_MAX,
  IMPORT_KINDS,
  type ImportSourcesOptions,
} from "@loredex/import";
import type { Options } from "../configuration/option.ts";
import { sizeText } from "../configuration/sizes.ts";
import { flag, number, type OptionValues, oneOf, text } from "./command.ts";

/** The options for importing files. */
export const FILE_OPTIONS = {
  kind: {
    kind: "choice",
    value: "KIND",
    choices: IMPORT_KINDS,
    help: `what the named files and - are: ${IMPORT_KINDS.join(", ")}`,
    default: "what their names say, or what they look like",
    setting: false,
  },
  encoding: {
    kind: "text",
    value: "NAME",
    help: "how texts are written that are not in UTF-8: windows-1252, shift_jis, gb18030, ...",
    default: "what they say themselves, or what they look like",
    setting: false,
  },
  drafts: { kind: "switch", help: "also bring files whose front matter says draft: true", setting: false },
  "file-memory": {
    kind: "bytes",
    value: "SIZE",
    min: CONVERSION_MEMORY_BYTES_MIN,
    max: CONVERSION_MEMORY_BYTES_MAX,
    help: "memory to convert one file in; one that needs more is refused",
    default: sizeText(CONVERSION_MEMORY_BYTES_DEFAULT),
    setting: true,
  },
  "file-seconds": {
    kind: "count",
    value: "N",
    min: 1,
    max: CONVERSION_SECONDS_MAX,
    help: "time that the conversion of one file may compute; one that needs more is refused",
    default: CONVERSION_SECONDS_DEFAULT,
    setting: true,
  },
} as const satisfies Options;

/** Reads the options for importing files. @throws UsageError */
export function fileOptions(
  options: OptionValues,
): Pick<ImportSourcesOptions, "kind" | "encoding" | "drafts" | "fileMemoryBytesMax" | "fileSecondsMax"> {
  const kind = oneOf("--kind", text(options, "kind"), IMPORT_KINDS);
  const encoding = text(options, "encoding");
  const memory = number(options, "file-memory");
  const seconds = number(options, "file-seconds");
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(options.drafts === undefined ? {} : { drafts: flag(options, "drafts") }),
    ...(memory === undefined ? {} : { fileMemoryBytesMax: memory }),
    ...(seconds === undefined ? {} : { fileSecondsMax: seconds }),
  };
}
