import { type ArgumentSettings, ValidationError } from "@loredex/core";
import type { Conversion, RawFile } from "../../convert/conversion.ts";
import { type Resolver, systemResolver } from "../../web/hosts.ts";
import * as limits from "../../web/limits.ts";
import { systemTime } from "../../web/system-time.ts";
import type { Time } from "../../web/time.ts";
import { Web } from "../../web/web.ts";
import type { Target } from "../belonging/target.ts";
import { type AddressReading, readAddress } from "./read-address.ts";
import type { SourceItem } from "./read-file.ts";
import { type AddressOptions, optionsOf, settingsOf } from "./settings.ts";

/** What addresses are read with. Tests give others. */
export interface WebMachine {
  readonly time?: Time;
  readonly resolver?: Resolver;
}

const RANGES = {
  follow: [0, limits.FOLLOW_DEPTH_MAX],
  pagesMax: [1, limits.PAGES_MAX],
  requestsPerSecond: [0.01, limits.REQUESTS_A_SECOND_MAX],
} as const;

/** What is wrong with the options. @throws ValidationError */
export function requireAddressOptions(options: AddressOptions): void {
  for (const name of ["follow", "pagesMax", "requestsPerSecond"] as const) {
    const value = options[name];
    const [min, max] = RANGES[name];
    const isFit =
      value === undefined ||
      (value >= min && value <= max && (name === "requestsPerSecond" || Number.isInteger(value)));
    if (isFit) continue;
    const message = `${name} is ${name === "requestsPerSecond" ? "a number" : "a whole number"} from ${min} to ${max}`;
    throw new ValidationError([{ message, field: name, type: "range" }]);
  }
}

/** Reads the addresses of one import. */
export class Addresses {
  readonly #options: AddressOptions;
  readonly #machine: WebMachine;
  readonly #convert: (file: RawFile) => Promise<Conversion>;
  readonly #webs = new Map<string, Web>();

  constructor(options: AddressOptions, machine: WebMachine, convert: (file: RawFile) => Promise<Conversion>) {
    this.#options = options;
    this.#machine = machine;
    this.#convert = convert;
  }

  /** How the address is imported, by what is said now, else by what was said before: forgetting it must not make a site one page. */
  settings(kept: ArgumentSettings | undefined): AddressOptions {
    return { ...optionsOf(kept), ...optionsOf(settingsOf(this.#options)) };
  }

  read(
    target: Target,
    settings: AddressOptions,
    reading: Pick<AddressReading, "place" | "isKnown" | "hasBrought" | "sync" | "drafts">,
  ): AsyncGenerator<SourceItem> {
    const { follow = 0, pagesMax = limits.PAGES_MAX_DEFAULT, requestsPerSecond, ignoreRobots = false } = settings;
    const web = this.#web({ requestsPerSecond, ignoreRobots });
    return readAddress(target, { ...reading, web, convert: this.#convert, follow, pagesMax, ignoreRobots });
  }

  /** Addresses that are read alike share their pace, and what the robots.txt of a host says. */
  #web(settings: { readonly requestsPerSecond: number | undefined; readonly ignoreRobots: boolean }): Web {
    const key = JSON.stringify(settings);
    const { time = systemTime, resolver = systemResolver } = this.#machine;
    const web = this.#webs.get(key) ?? new Web({ ...settings, time, resolver });
    this.#webs.set(key, web);
    return web;
  }
}
