import { expect, it } from "vitest";
import { JobTurn } from "../../src/nodes/job-turn.ts";
import type { Lease, SharedStore } from "../../src/storage/store.ts";
import { TestClock } from "../support/test-clock.ts";

/** A shared store in which another node has the job while `isElsewhere`. Counts what it is asked. */
class Leases implements Pick<SharedStore, "lease"> {
  isElsewhere = false;
  isLost = false;
  asked = 0;
  released = 0;
  renewed = 0;

  async lease(): Promise<Lease | undefined> {
    this.asked += 1;
    if (this.isElsewhere) return undefined;
    const renew = async (): Promise<boolean> => {
      this.renewed += 1;
      return !this.isLost;
    };
    const release = async (): Promise<void> => void this.released++;
    return { token: this.asked, renew, release };
  }
}

function turnOn(leases: Leases): { readonly clock: TestClock; readonly turn: JobTurn } {
  const clock = new TestClock();
  return { clock, turn: new JobTurn("snapshot", leases as unknown as SharedStore, clock) };
}

it("is always this node's where nobody shares the store", async () => {
  expect(await new JobTurn("snapshot", undefined, new TestClock()).take()).toBe(true);
});

it("asks no more often than once a second while another node has the job", async () => {
  const leases = new Leases();
  const { clock, turn } = turnOn(leases);
  leases.isElsewhere = true;
  for (let i = 0; i < 10; i++) expect(await turn.take()).toBe(false);
  expect(leases.asked).toBe(1);
  leases.isElsewhere = false;
  clock.advance(1_000);
  expect(await turn.take()).toBe(true);
});

it("is given back, and asked for again", async () => {
  const leases = new Leases();
  const { turn } = turnOn(leases);
  await turn.take();
  await turn.leave();
  expect(leases.released).toBe(1);
  leases.isElsewhere = true;
  expect(await turn.take()).toBe(false);
});

it("is lost when it was not prolonged in time and another node has it", async () => {
  const leases = new Leases();
  const { clock, turn } = turnOn(leases);
  await turn.take();
  [leases.isLost, leases.isElsewhere] = [true, true];
  expect(await turn.take()).toBe(true);
  clock.advance(10_000);
  expect(await turn.take()).toBe(false);
});

it("is prolonged while work runs that takes longer than the lease", async () => {
  const leases = new Leases();
  const { clock, turn } = turnOn(leases);
  await turn.take();
  const steps: number[] = [];
  for await (const step of turn.during([1, 2, 3, 4, 5])) {
    steps.push(step);
    clock.advance(10_000);
  }
  expect(steps).toEqual([1, 2, 3, 4, 5]);
  expect(leases.renewed).toBe(4);
});
