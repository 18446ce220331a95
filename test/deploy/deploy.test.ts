import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../installed/packages.ts";
import { run } from "../installed/users-machine.ts";
import { machineProgram } from "../support/machine-program.ts";
import { stagesOf, variablesOf } from "./dockerfile.ts";

const read = (name: string): string => readFileSync(join(ROOT, name), "utf8");
const [docker, systemd] = [machineProgram("docker"), machineProgram("systemd-analyze")];

describe("deploy/Dockerfile", () => {
  const stages = stagesOf(read("deploy/Dockerfile"));
  const [build, image] = stages;
  const named = (name: string) => image?.instructions.filter((one) => one.name === name).map(({ rest }) => rest) ?? [];

  it("builds in one stage and runs in another, of a base that is pinned by its major version", () => {
    expect(stages).toHaveLength(2);
    expect(read("deploy/Dockerfile")).toMatch(/^ARG NODE=\d+$/m);
    expect(build?.base).toMatch(/^node:\$\{NODE\}-bookworm AS build$/);
    expect(image?.base).toMatch(/^node:\$\{NODE\}-bookworm-slim$/);
    expect(build?.instructions.at(-1)).toEqual({ name: "RUN", rest: "bash deploy/install.sh /source /app" });
    expect(named("COPY")).toEqual(["--from=build /app /app"]);
  });

  it("runs without root on a volume of its own, ends by a signal that is answered, and says whether it lives", () => {
    expect(named("USER")).toEqual(["node"]);
    expect(named("VOLUME")).toEqual(["/data"]);
    expect(variablesOf(image?.instructions ?? []).get("LOREDEX_DATA")).toBe("/data");
    expect(named("STOPSIGNAL")).toEqual(["SIGTERM"]);
    expect(named("ENTRYPOINT")).toEqual(['["loredex"]']);
    expect(named("CMD")).toEqual(['["serve"]']);
    expect(named("HEALTHCHECK")).toHaveLength(1);
    // The API's port may speak TLS, or be a socket.
    expect(variablesOf(image?.instructions ?? []).get("LOREDEX_HEALTH_PORT")).toBe("8081");
  });

  it.each([200, 503])("its health check is of the answer's mind, %i", async (status) => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === "/health" ? status : 404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const [, , code = ""] = JSON.parse(/CMD (\[.*\])$/.exec(named("HEALTHCHECK")[0] ?? "")?.[1] ?? "[]") as string[];
    const { port } = server.address() as AddressInfo;
    const env = { ...process.env, LOREDEX_HEALTH_PORT: String(port) };
    expect((await run(process.execPath, ["-e", code], { cwd: ROOT, env })).code).toBe(status === 200 ? 0 : 1);
  });

  it("its context leaves out what it makes, and what is of this machine", () => {
    const ignored = read(".dockerignore").split("\n");
    expect(ignored).toEqual(expect.arrayContaining([".git", "**/node_modules", "**/dist", "data", "**/.env"]));
  });
});

describe("deploy/compose.yaml", () => {
  const { services, volumes } = parse(read("deploy/compose.yaml")) as {
    services: { loredex: Record<string, unknown> };
    volumes: object;
  };
  const { loredex } = services;

  it("starts again, within bounds, on a volume, with no more rights than it needs", () => {
    expect(loredex).toMatchObject({
      build: { context: "..", dockerfile: "deploy/Dockerfile" },
      restart: "unless-stopped",
      init: true,
      mem_limit: "2g",
      memswap_limit: "2g",
      read_only: true,
      cap_drop: ["ALL"],
      volumes: ["data:/data"],
    });
    expect(Object.keys(volumes)).toEqual(["data"]);
    // The image's own.
    expect(loredex).not.toHaveProperty("healthcheck");
  });

  it("shows the API to this machine alone, and metrics to none but its own services", () => {
    expect(loredex.ports).toEqual(["127.0.0.1:8080:8080"]);
    expect(loredex.expose).toEqual(["9464"]);
    expect(loredex.environment).toMatchObject({ LOREDEX_METRICS_PORT: "9464" });
  });

  it.skipIf(docker.isMissing)(docker.named("is understood by Docker"), () => {
    const { status, stderr } = spawnSync("docker", ["compose", "-f", "deploy/compose.yaml", "config", "--quiet"], {
      cwd: ROOT,
    });
    const isPlugin = spawnSync("docker", ["compose", "version"]).status === 0;
    if (isPlugin) expect(status, String(stderr)).toBe(0);
  });
});

describe("deploy/loredex.service", () => {
  const unit = read("deploy/loredex.service");

  it("starts again after a failure, on a directory of its own, as a user of its own", () => {
    const lines = unit.split("\n");
    const wanted = [
      "Restart=on-failure",
      "StateDirectory=loredex",
      "Environment=LOREDEX_DATA=/var/lib/loredex",
      "User=loredex",
    ];
    expect(lines).toEqual(expect.arrayContaining(wanted));
  });

  it.skipIf(systemd.isMissing)(systemd.named("is whole for systemd, and hardly exposed"), () => {
    const folder = mkdtempSync(join(tmpdir(), "loredex-unit-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "loredex.service");
    // The program is not where the unit has it.
    writeFileSync(path, unit.replace(/^ExecStart=\S+/m, "ExecStart=/bin/true"));
    const verified = spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" });
    expect(verified).toMatchObject({ status: 0, stderr: "" });
    const seen = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=25", path], {
      encoding: "utf8",
    });
    expect(seen.status, seen.stdout).toBe(0);
  });
});
