import { monitorEventLoopDelay } from "node:perf_hooks";
import { type Engine, type EngineFigures, type Logger, LoredexError } from "@loredex/core";
import type { AdminStatus, ApiAdmin, ConsoleFile, LiveBot } from "@loredex/http";
import type { Operator } from "../operator/operator.ts";
import { ownPackage } from "../own-package.ts";
import { Alerts } from "./alerts.ts";
import { ImportJobs } from "./import-jobs.ts";
import { Jobs } from "./jobs.ts";
import { beginRun } from "./run-jobs.ts";
import { SignInCodes } from "./sign-in-codes.ts";
import type { Traffic } from "./traffic.ts";
import { RecentDeletes } from "./undo.ts";
import { sweepUploads } from "./uploads.ts";

/** How often alerts are judged while nobody asks, in milliseconds. */
const JUDGE_MS = 60_000;
/** How long the figures of all bots count as those of now, in milliseconds: the events and the alerts of one moment share them. */
const FIGURES_MS = 1_000;
const NANOSECONDS_A_MS = 1_000_000;

/** Dependencies of {@link adminBackend}. */
export interface AdminBackendDeps {
  readonly engine: Engine;
  readonly operator: Operator;
  readonly traffic: Traffic;
  readonly logger: Logger;
  /** The files of the console by their path; undefined for the admin API alone. */
  readonly files?: ReadonlyMap<string, ConsoleFile> | undefined;
  /** Whether admin keys may import addresses of private networks. */
  readonly privateAddresses: boolean;
  readonly nowMs: () => number;
}

/** What stands behind the admin API, of one server. */
export interface AdminBackend {
  readonly admin: ApiAdmin;
  /** Makes a code that signs in once, with the rights of the admin key of this name, which is made if it is missing. */
  signInCode(name: string): Promise<string>;
  /** Ends the jobs. */
  close(): Promise<void>;
}

/** Puts together what the admin API needs: the engine's operator, its administration and insights, jobs, traffic and alerts. */
export function adminBackend(deps: AdminBackendDeps): AdminBackend {
  const { engine, operator, traffic, logger, files, privateAddresses, nowMs } = deps;
  const { administration } = engine;
  const { version } = ownPackage();
  const jobs = new Jobs(nowMs, logger);
  const imports = new ImportJobs({ operator, jobs, privateAddresses });
  const deletes = new RecentDeletes(nowMs);
  const codes = new SignInCodes(nowMs);
  const alerts = new Alerts(nowMs);
  void sweepUploads(nowMs());
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let lateMs = 0;
  let read: { readonly atMs: number; readonly figures: EngineFigures } | undefined;
  const figures = (): EngineFigures => {
    const atMs = nowMs();
    if (read === undefined || Math.abs(atMs - read.atMs) >= FIGURES_MS) read = { atMs, figures: engine.figures() };
    return read.figures;
  };
  const judged = (): AdminStatus["alerts"] =>
    alerts.judge({ condition: engine.condition(), figures: figures(), traffic, lateMs });
  const judging = setInterval(() => {
    lateMs = delay.percentile(99) / NANOSECONDS_A_MS;
    delay.reset();
    traffic.keepOnly(new Set(figures().fleet.map(({ id }) => id)));
    judged();
  }, JUDGE_MS).unref();
  const admin: ApiAdmin = {
    administration,
    operator: {
      ...operator,
      backup: (bot, { questions = false }) => operator.backup(bot, { withQuestions: questions }),
    },
    jobs: {
      upload: (bot, file) => imports.upload(bot, file),
      importAddresses: (bot, given) => imports.importAddresses(bot, given),
      sync: (bot, source) => imports.sync(bot, source),
      run: (bot, given) => beginRun({ engine, jobs }, bot, given),
      list: async (bot) => jobs.list(bot),
      get: async (bot, id) => jobs.get(bot, id),
    },
    findBot: async (bot) => {
      const found = engine.findBot(bot);
      if (found !== undefined) return found;
      await engine.catchUp();
      return engine.findBot(bot);
    },
    bot: async (id) => deletes.watched(id, await engine.bot(id)),
    insights: (id) => engine.insights(id),
    redeemCode: async (code) => codes.redeem(code),
    status: async () => ({ version, condition: engine.condition(), alerts: judged() }),
    liveBots: async () =>
      figures().fleet.map(({ id, name, figures: of }): LiveBot => {
        return { id, name, ...traffic.of(id), ...(of === undefined ? {} : { figures: of }) };
      }),
    condition: () => engine.condition(),
    ...(files === undefined ? {} : { files }),
  };
  return {
    admin,
    signInCode: async (name) => {
      if ((await administration.identity(name)) === undefined) await administration.addKey(name);
      const identity = await administration.identity(name);
      if (identity === undefined) throw new LoredexError("KEY_NOT_FOUND", `There is no admin key named ${name}.`);
      return codes.make(identity);
    },
    close: async () => {
      clearInterval(judging);
      delay.disable();
      await jobs.close();
    },
  };
}
