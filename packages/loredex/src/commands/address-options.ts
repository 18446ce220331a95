import type { AddressOptions } from "@loredex/import";
import type { Options } from "../configuration/option.ts";
import { flag, number, type OptionValues } from "./command.ts";

/** The options for importing addresses. */
export const ADDRESS_OPTIONS: Options = {
  follow: {
    kind: "count",
    value: "N",
    min: 0,
    max: 100,
    help: "of addresses: bring the pages below them that links lead to, this many links deep",
    default: "as deep as before, else 0",
    setting: false,
  },
  "pages-max": {
    kind: "count",
    value: "N",
    min: 1,
    max: 1_000_000,
    help: "how many pages of an address are brought; twice as many requests are made at most, and 20",
    default: 10_000,
    setting: true,
  },
  "requests-per-second": {
    kind: "number",
    value: "N",
    min: 0.01,
    max: 1_000,
    help: "how often a host is asked for pages",
    default: "1, and 20 on a private network",
    setting: true,
  },
  "ignore-robots": {
    kind: "switch",
    help: "also bring pages that ask programs to leave them alone (robots.txt, noindex): for a site of your own",
    setting: false,
  },
};

/** Reads the options for importing addresses. */
export function addressOptions(options: OptionValues): AddressOptions {
  const [follow, pagesMax] = [number(options, "follow"), number(options, "pages-max")];
  const requestsPerSecond = number(options, "requests-per-second");
  return {
    ...(follow === undefined ? {} : { follow }),
    ...(pagesMax === undefined ? {} : { pagesMax }),
    ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
    // Without the option, the earlier choice stays in force.
    ...(options["ignore-robots"] === undefined ? {} : { ignoreRobots: flag(options, "ignore-robots") }),
  };
}
