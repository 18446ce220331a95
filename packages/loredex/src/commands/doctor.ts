import { arch, platform, versions } from "node:process";
import { modelServerVariables } from "../configuration/settings.ts";
import { checkBots } from "../doctor/bots.ts";
import type { Check } from "../doctor/check.ts";
import { checkDataDirectory, HOLDER } from "../doctor/data-directory.ts";
import { checkNode, checkPlatform } from "../doctor/machine.ts";
import { checkEmbedders, checkGraph } from "../doctor/parts.ts";
import { checkStore } from "../doctor/store.ts";
import { ownPackage } from "../own-package.ts";
import { jsonLine, oneLine } from "../terminal/terminal.ts";
import type { Command } from "./command.ts";

export const doctorCommand: Command = {
  usage: "doctor",
  summary: "whether all that Loredex needs is there and works; changes nothing",
  positionals: [0, 0],
  options: {},
  examples: ["doctor", "doctor --data /srv/loredex --json", "doctor --store postgres://loredex@db/loredex"],
  async run({ terminal, json, settings, embedders, place }) {
    const placeChecks = await (place.kind === "store" ? checkStore(place.store) : checkDataDirectory(place.directory));
    const isReadable = placeChecks.every(({ name, state }) => state !== "wrong" && (name !== HOLDER || state === "ok"));
    const checks = [
      checkNode(versions.node, ownPackage().engines.node),
      checkPlatform(platform, arch),
      ...(await checkEmbedders(embedders, modelServerVariables(settings))),
      ...(await checkGraph(settings.find("graph")?.value)),
      ...placeChecks,
      ...(isReadable ? await checkBots(place, embedders) : []),
    ];
    const passed = checks.every(({ state }) => state !== "wrong");
    terminal.out(json ? jsonLine({ passed, checks }) : lines(checks));
    return passed ? 0 : 1;
  },
};

function lines(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .map(({ name, state, message }) => `${state.padEnd(5)}  ${name.padEnd(width)}  ${oneLine(message)}\n`)
    .join("");
}
