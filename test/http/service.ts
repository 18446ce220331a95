/** A whole service for tests: an engine that finds by words, its HTTP server on a free port, a clock that tests move, bots with keys. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engine, type EngineOptions } from "@loredex/core";
import { type ApiServerOptions, createApiServer } from "@loredex/http";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type AdminBackend, adminBackend } from "../../packages/loredex/src/admin/admin-backend.ts";
import { Traffic } from "../../packages/loredex/src/admin/traffic.ts";
import { engineOperator } from "../../packages/loredex/src/operator/engine-operator.ts";
import { BotClient, type Reply, type Sent, send } from "./client.ts";
import { TestClock } from "./test-clock.ts";

export interface ServiceSettings {
  /** Keep everything in a temporary directory, so that the service can be restarted. Default: in memory. */
  readonly onDisk?: boolean;
  readonly storage?: EngineOptions["storage"];
  /** Default: a clock of its own. */
  readonly clock?: TestClock;
  readonly server?: ApiServerOptions;
  /** Whether it has an admin API. Default false. */
  readonly hasAdmin?: boolean;
}

export interface BotLimits {
  readonly quotaCharacters?: number;
  readonly rateCharactersPerMinute?: number;
  readonly quotaBytes?: number;
  readonly rateBytesPerMinute?: number;
}

interface Running {
  readonly engine: Engine;
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** The backend of the admin API, as `serve --console` has it. */
export function adminOf(engine: Engine): AdminBackend {
  const nowMs = () => Date.now();
  const [operator, traffic] = [engineOperator(engine), new Traffic(nowMs)];
  return adminBackend({ engine, operator, traffic, logger: () => undefined, privateAddresses: false, nowMs });
}

/** Large enough never to matter where a test is not about limits. */
const PLENTY = 1_000_000_000;

export class Service {
  readonly clock: TestClock;
  readonly #settings: ServiceSettings;
  readonly #directory: string | undefined;
  #running: Running | undefined;
  #bots = 0;

  private constructor(settings: ServiceSettings, directory: string | undefined) {
    this.#settings = settings;
    this.clock = settings.clock ?? new TestClock();
    this.#directory = directory;
  }

  static async create(settings: ServiceSettings = {}): Promise<Service> {
    const directory = settings.onDisk === true ? await mkdtemp(join(tmpdir(), "loredex-service-")) : undefined;
    const service = new Service(settings, directory);
    await service.#open();
    return service;
  }

  async #open(): Promise<void> {
    const { storage, server } = this.#settings;
    const engine = await Engine.open({
      clock: this.clock,
      embedders: {},
      ...(this.#directory === undefined ? {} : { directory: this.#directory }),
      ...(storage === undefined ? {} : { storage }),
    });
    // Many requests at once on a busy machine wait for long, which is not what these tests are about.
    const timeouts = { waitMs: 60_000, ...server?.timeouts };
    const backend = this.#settings.hasAdmin === true ? adminOf(engine) : undefined;
    const admin = backend === undefined ? {} : { admin: backend.admin };
    const api = createApiServer(engine, { ...server, ...admin, timeouts });
    const { url, port } = await api.listen({ port: 0, host: "127.0.0.1" });
    const stop = async () => {
      // Its clients have their answers: it need not wait for requests that may be on their way.
      await api.close({ timeoutMs: 0 });
      await backend?.close();
      await engine.close();
    };
    this.#running = { engine, url, port, stop };
  }

  get #now(): Running {
    if (this.#running === undefined) throw new Error("the service is stopped");
    return this.#running;
  }

  get engine(): Engine {
    return this.#now.engine;
  }

  get url(): string {
    return this.#now.url;
  }

  get port(): number {
    return this.#now.port;
  }

  /** Sends a request to any path, with no key unless one is given in its headers. */
  send<T = unknown>(method: string, path: string, sent: Sent = {}): Promise<Reply<T>> {
    return send(this.url, method, path, sent);
  }

  /** A new bot with a key. Its limits are out of the way unless given. */
  async bot(limits: BotLimits = {}): Promise<BotClient> {
    this.#bots += 1;
    const name = `bot ${this.#bots}`;
    const settings = { name, quotaCharacters: PLENTY, rateCharactersPerMinute: PLENTY, ...limits };
    const { bot, key } = await this.engine.createBot(settings);
    return new BotClient(this, bot.id, key);
  }

  /** A bot of another node of this service. */
  same({ id, key }: BotClient): BotClient {
    return new BotClient(this, id, key);
  }

  /** Ends the service in an orderly way. With a directory or a storage of its own it can be opened again. */
  async stop(): Promise<void> {
    const running = this.#now;
    this.#running = undefined;
    await running.stop();
  }

  /** Opens the stopped service again, on the same data. */
  async start(): Promise<void> {
    this.clock.reboot();
    await this.#open();
  }

  /** Stops, and starts again. `meanwhile` runs while nothing is up. */
  async restart(meanwhile: () => void = () => {}): Promise<void> {
    await this.stop();
    meanwhile();
    await this.start();
  }

  async dispose(): Promise<void> {
    if (this.#running !== undefined) await this.stop();
    if (this.#directory !== undefined) await rm(this.#directory, { recursive: true, force: true });
  }
}

/** A service of this test alone, stopped when the test ends. */
export async function ownService(settings: ServiceSettings = {}): Promise<Service> {
  const service = await Service.create(settings);
  onTestFinished(() => service.dispose());
  return service;
}

/** One service for all tests of a file or block; each test makes its own bots in it. */
export function sharedService(settings: ServiceSettings = {}): () => Service {
  let service: Service | undefined;
  beforeAll(async () => {
    service = await Service.create(settings);
  });
  afterAll(async () => {
    await service?.dispose();
  });
  return () => {
    if (service === undefined) throw new Error("the service is only up while tests run");
    return service;
  };
}
