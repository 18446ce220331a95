import { allOptions } from "../configuration/all-options.ts";
import type { Options } from "../configuration/option.ts";
import { adminKeyCreate, adminKeyList, adminKeyRevoke, adminKeyRotate, changesCommand } from "./admin-key.ts";
import { backupCommand, restoreCommand } from "./backup.ts";
import { botCreate, botRemove, botSet, botShow } from "./bot.ts";
import type { Command } from "./command.ts";
import { completionCommand } from "./completion.ts";
import { configCommand } from "./config.ts";
import { copyCommand } from "./copy.ts";
import { doctorCommand } from "./doctor.ts";
import { exportCommand, list, remove, show, status } from "./documents.ts";
import { evalCommand } from "./eval.ts";
import { explainCommand } from "./explain.ts";
import { botList } from "./fleet.ts";
import { importCommand } from "./import.ts";
import { gapsCommand, goldenClear, goldenExport, goldenImport, questionClear, questionList } from "./insights.ts";
import { keyAdd, keyList, keyRevoke, keyRotate } from "./key.ts";
import { mcpCommand } from "./mcp.ts";
import { purgeCommand } from "./purge.ts";
import { registrationCommands } from "./registration.ts";
import { salvageCommand } from "./salvage.ts";
import { searchCommand } from "./search.ts";
import { serveCommand } from "./serve.ts";
import { sourceList, sourceMove, sourceRemove } from "./source.ts";
import { storeMigrate } from "./store.ts";
import { suggestCommand } from "./suggest.ts";
import { syncCommand } from "./sync.ts";
import { verifyCommand } from "./verify.ts";
import { vocabularyClear, vocabularyExport, vocabularyImport, vocabularyRemove, vocabularyShow } from "./vocabulary.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  serveCommand,
  doctorCommand,
  botCreate,
  botList,
  botShow,
  botSet,
  botRemove,
  keyAdd,
  keyList,
  keyRotate,
  keyRevoke,
  adminKeyCreate,
  adminKeyList,
  adminKeyRotate,
  adminKeyRevoke,
  changesCommand,
  ...registrationCommands("agent"),
  ...registrationCommands("channel"),
  importCommand,
  syncCommand,
  sourceList,
  sourceMove,
  sourceRemove,
  list,
  show,
  status,
  remove,
  exportCommand,
  vocabularyImport,
  vocabularyShow,
  vocabularyExport,
  vocabularyRemove,
  vocabularyClear,
  searchCommand,
  suggestCommand,
  explainCommand,
  evalCommand,
  goldenImport,
  goldenExport,
  goldenClear,
  gapsCommand,
  questionList,
  questionClear,
  mcpCommand(),
  backupCommand,
  restoreCommand,
  copyCommand,
  storeMigrate,
  purgeCommand,
  verifyCommand,
  salvageCommand,
  configCommand(() => ALL_OPTIONS),
  completionCommand(() => COMMANDS.map((command) => ({ words: wordsOf(command), ...command }))),
];

/** Every option, by name. */
export const ALL_OPTIONS: Options = allOptions(COMMANDS);

const NAME = /^[a-z][a-z-]*/;

/** The words that call a command: `["bot", "create"]`. */
export function wordsOf(command: Command): readonly string[] {
  return command.usage.split(" ").filter((word) => NAME.exec(word)?.[0] === word);
}
