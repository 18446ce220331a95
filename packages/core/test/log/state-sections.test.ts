import { expect, it } from "vitest";
import { emptyState } from "../../src/log/state.ts";
import { stateFromSections, stateSections } from "../../src/log/state-sections.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import type { LoadedSection, LoadedSnapshot } from "../../src/storage/store.ts";

const ATMS = 1_700_000_000_000;

/** A snapshot of a state whose windows have something in them, with its accounts as `change` leaves them. */
async function snapshotWith(change: (accounts: Record<string, unknown>) => void): Promise<LoadedSnapshot> {
  const state = emptyState();
  state.window.add(12, ATMS);
  state.byteWindow.add(300, ATMS);
  const sections = new Map<string, LoadedSection>();
  for (const { name, version, chunks } of stateSections(state)) {
    const pieces: Uint8Array[] = [];
    for await (const piece of chunks) pieces.push(piece);
    sections.set(name, { name, version, bytes: Buffer.concat(pieces) });
  }
  const known = sections.get("accounts") ?? expect.fail();
  const accounts = JSON.parse(Buffer.from(known.bytes).toString());
  change(accounts);
  sections.set("accounts", { ...known, bytes: Buffer.from(JSON.stringify(accounts)) });
  return { sequence: 1, sections };
}

it("the windows of characters and of bytes come back from a snapshot", async () => {
  const state = finished(stateFromSections(await snapshotWith(() => undefined)));
  expect([state.window.used(ATMS), state.byteWindow.used(ATMS)]).toEqual([12, 300]);
});

it("a snapshot from before there was a window of bytes is read", async () => {
  const state = finished(stateFromSections(await snapshotWith((accounts) => delete accounts.byteAdmissions)));
  expect([state.window.used(ATMS), state.byteWindow.used(ATMS)]).toEqual([12, 0]);
});

it.each(["admissions", "byteAdmissions"])("a snapshot with a time in %s that is none is refused", async (name) => {
  const snapshot = await snapshotWith((accounts) => {
    accounts[name] = [{ atMs: "then", characters: 1, bytes: 1 }];
  });
  expect(() => finished(stateFromSections(snapshot))).toThrow(/time that is none/);
});
