import { type Engine, kinds, type Logger } from "@loredex/core";
import type { ConsoleFile } from "@loredex/http";
import { engineOperator } from "../operator/engine-operator.ts";
import { type AdminBackend, type AdminBackendDeps, adminBackend } from "./admin-backend.ts";

/** The options of the console and the admin API. */
export interface ConsoleOptions {
  /** A port of its own; 0 picks a free one. Default: the address of the API. */
  readonly port?: number;
  /** The address that this port listens on. Default 127.0.0.1: this machine only. */
  readonly host?: string;
  /**
   * Whether the holders of admin keys may import addresses of private networks, those of this machine included. Default false: they could read what only
   * this machine can reach.
   */
  readonly privateAddresses?: boolean;
  /** The files of the console by their path under `/console/`. Default: those of `@loredex/console`. */
  readonly files?: ReadonlyMap<string, ConsoleFile>;
}

export const CONSOLE_OPTIONS: kinds.OptionKinds<ConsoleOptions> = {
  port: kinds.A_PORT,
  host: kinds.A_TEXT,
  privateAddresses: kinds.A_BOOLEAN,
  files: kinds.kind("map", "a Map of paths with their files", (given) => given instanceof Map),
};

/** The console of a server. */
export interface RunningConsole extends AdminBackend {
  /** The path of the console under the address of its server. */
  readonly path: "/console";
}

/** Opens the console and the admin API of an engine. */
export async function openConsole(
  engine: Engine,
  { traffic, logger }: Pick<AdminBackendDeps, "traffic" | "logger">,
  { privateAddresses = false, files }: ConsoleOptions,
): Promise<RunningConsole> {
  const backend = adminBackend({
    engine,
    operator: engineOperator(engine),
    traffic,
    logger,
    files: files ?? (await ownFiles()),
    privateAddresses,
    nowMs: () => Date.now(),
  });
  return { ...backend, path: "/console" };
}

/** Warns if admin keys would cross a network in plain text. */
export function warnIfExposed(logger: Logger, host: string, isEncrypted: boolean): void {
  if (isEncrypted || host === "localhost" || host === "::1" || /^127\./.test(host)) return;
  const message = `The console listens on ${host} without TLS: admin keys and all knowledge can be read on the way. Give it a certificate (--tls-cert), or let it listen on 127.0.0.1 behind a proxy that has one.`;
  logger({ level: "warn", event: "consoleExposed", message });
}

/** Loaded with the first console: other servers need no page. */
async function ownFiles(): Promise<ReadonlyMap<string, ConsoleFile>> {
  const { consoleFiles } = await import("@loredex/console");
  return consoleFiles();
}
