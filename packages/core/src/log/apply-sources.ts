import type { RecordOf } from "../model/records.ts";
import { type IndexChange, UNCHANGED } from "./index-change.ts";
import { withArgument } from "./source-table.ts";
import type { BotState } from "./state.ts";

export function applySourceArgument(
  state: BotState,
  record: RecordOf<"sourceArgument">,
  sequence: number,
): IndexChange {
  const { argument, importedAtMs, report, takesOver } = record;
  const source = state.sources.named(record.source, sequence);
  const end = importedAtMs === undefined ? {} : { importedAtMs, ...(report === undefined ? {} : { report }) };
  const put = { ...argument, ...end };
  state.sources.set({ ...source, arguments: withArgument(source.arguments, put) });
  const former = takesOver === undefined ? undefined : state.sources.get(takesOver);
  if (former !== undefined && former.id !== source.id && !state.sources.hasHeir(former.name)) {
    state.sources.set({ ...former, heir: source.id });
  }
  return UNCHANGED;
}

export function applySourceMove(state: BotState, record: RecordOf<"sourceMove">): IndexChange {
  const source = state.sources.get(record.source);
  if (source === undefined || (record.to !== record.source && state.sources.get(record.to) !== undefined)) {
    return UNCHANGED;
  }
  const put = record.argument;
  const rest = source.arguments.length === 0 ? { rest: put.name } : {};
  state.sources.set({ ...source, ...rest, name: record.to, arguments: withArgument(source.arguments, put) });
  return UNCHANGED;
}

export function applySourceRemove(state: BotState, { source }: RecordOf<"sourceRemove">): IndexChange {
  state.sources.removeIfEmpty(source);
  return UNCHANGED;
}
