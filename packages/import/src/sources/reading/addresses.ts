import { kinds } from "@loredex/core";
import type { Conversion, RawFile } from "../../convert/conversion.ts";
import { type Resolver, systemResolver } from "../../web/hosts.ts";
import * as limits from "../../web/limits.ts";
import { systemTime } from "../../web/system-time.ts";
import type { Time } from "../../web/time.ts";
import { Web } from "../../web/web.ts";
import type { Target } from "../belonging/target.ts";
import type { Conversions } from "./conversions.ts";
import { type AddressReading, readAddress } from "./read-address.ts";
import type { SourceItem } from "./read-file.ts";
import type { KeptOptions } from "./settings.ts";

/** The network and clock for reading addresses. Tests replace them. */
export interface WebMachine {
  readonly time?: Time;
  readonly resolver?: Resolver;
  /** Refuses addresses of private networks also where an argument names them: for arguments that do not come from the operator. Default false. */
  readonly publicOnly?: boolean;
}

export const WEB_MACHINE: kinds.OptionKinds<WebMachine> = {
  time: kinds.anObjectWith<Time>("a time", "nowMs", "wait", "limit"),
  resolver: kinds.anObjectWith<Resolver>("a resolver", "resolve", "isPrivate"),
  publicOnly: kinds.A_BOOLEAN,
};

interface AddressReadingDeps
  extends Pick<AddressReading, "place" | "isKnown" | "hasBrought" | "hasOthers" | "sync" | "drafts"> {
  readonly conversions: Conversions;
}

/** Reads the addresses of one import. */
export class Addresses {
  readonly #machine: WebMachine;
  readonly #signal: AbortSignal | undefined;
  readonly #webs = new Map<string, Web>();

  /** @param signal aborts the fetches */
  constructor(machine: WebMachine, signal: AbortSignal | undefined) {
    this.#machine = machine;
    this.#signal = signal;
  }

  read(
    target: Target,
    settings: KeptOptions,
    { conversions, ...reading }: AddressReadingDeps,
  ): AsyncGenerator<SourceItem> {
    const { follow = 0, pagesMax = limits.PAGES_MAX_DEFAULT, requestsPerSecond, ignoreRobots = false, type } = settings;
    const web = this.#web({ requestsPerSecond, ignoreRobots });
    const convert = (file: RawFile): Promise<Conversion> =>
      conversions.convert(type === undefined ? file : { ...file, type });
    return readAddress(target, { ...reading, web, convert, follow, pagesMax, ignoreRobots });
  }

  /** Addresses with equal settings share the pace and the robots.txt of each host. */
  #web(settings: { readonly requestsPerSecond: number | undefined; readonly ignoreRobots: boolean }): Web {
    const key = JSON.stringify(settings);
    const { time = systemTime, resolver = systemResolver, publicOnly = false } = this.#machine;
    const web = this.#webs.get(key) ?? new Web({ ...settings, time, resolver, publicOnly, signal: this.#signal });
    this.#webs.set(key, web);
    return web;
  }
}
