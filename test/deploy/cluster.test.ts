import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ALL_OPTIONS } from "../../packages/loredex/src/commands/all.ts";
import { readEnvironment } from "../../packages/loredex/src/configuration/environment.ts";
import { CONNECTIONS_DEFAULT } from "../../packages/loredex/src/configuration/store-options.ts";
import { ROOT } from "../installed/packages.ts";
import { machineProgram } from "../support/machine-program.ts";
import { stagesOf, variablesOf } from "./dockerfile.ts";

interface Service {
  readonly image: string;
  readonly build?: object;
  readonly deploy?: { readonly replicas: number };
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, object>>;
}

const FOLDER = "deploy/cluster";
const read = (name: string): string => readFileSync(join(ROOT, FOLDER, name), "utf8");
const { services, volumes, secrets } = parse(read("compose.yaml")) as {
  services: Readonly<Record<"balancer" | "loredex" | "primary" | "replica", Service>>;
  volumes: object;
  secrets: Readonly<Record<string, { readonly file: string }>>;
};
const haproxy = read("haproxy.cfg");
const [bash, haproxyProgram] = [machineProgram("bash"), machineProgram("haproxy")];

describe("the compose file of a cluster", () => {
  it("has three nodes, a balancer, and a database with a replica", () => {
    expect(Object.keys(services)).toEqual(["balancer", "loredex", "primary", "replica"]);
    expect(services.loredex.deploy).toEqual({ replicas: 3 });
    expect(Object.keys(volumes)).toEqual(["primary", "replica"]);
    // Which node would get it is chance: no node has a volume or a port of its own.
    expect(services.loredex.volumes).toBeUndefined();
    expect(Object.values(services).flatMap(({ ports = [] }) => ports)).toEqual(["127.0.0.1:8080:8080"]);
  });

  it("gives nodes the rights and bounds that one server has", () => {
    const { loredex } = (
      parse(readFileSync(join(ROOT, "deploy/compose.yaml"), "utf8")) as { services: { loredex: object } }
    ).services;
    const shared = [
      "image",
      "restart",
      "init",
      "stop_grace_period",
      "mem_limit",
      "memswap_limit",
      "read_only",
      "tmpfs",
    ];
    const rights = [...shared, "cap_drop", "security_opt", "ulimits", "expose"] as const;
    const of = (service: object) => rights.map((name) => [name, Object.entries(service).find(([key]) => key === name)]);
    expect(of(services.loredex)).toEqual(of(loredex));
    expect(services.loredex.build).toEqual({ context: "../..", dockerfile: "deploy/Dockerfile" });
  });

  it("sets only what the program knows, and replaces the directory of the image by the database", () => {
    const [, image] = stagesOf(readFileSync(join(ROOT, "deploy/Dockerfile"), "utf8"));
    const environment = {
      ...Object.fromEntries(variablesOf(image?.instructions ?? [])),
      ...services.loredex.environment,
    };
    const { found, unknown } = readEnvironment(ALL_OPTIONS, environment);
    expect(unknown).toEqual([]);
    expect(found.has("data")).toBe(false);
    const store = new URL(String(found.get("store")?.value));
    expect(Object.keys(services)).toContain(store.hostname);
    expect(read("prepare-primary.sh")).toContain(`create database ${store.pathname.slice(1)} owner ${store.username};`);
    expect(found.get("store-password-file")?.value).toBe(`/run/secrets/${store.username}`);
    // PostgreSQL takes 100 connections: ten nodes of the balancer's template would use them up.
    expect(3 * CONNECTIONS_DEFAULT).toBeLessThan(90);
  });

  it("shows each secret to the services that need it, and keeps all of them out of the repository", () => {
    const used = Object.entries(services).flatMap(([name, service]) =>
      (service.secrets ?? []).map((secret) => `${name}: ${secret}`),
    );
    expect(used).toEqual([
      "loredex: loredex",
      "primary: admin",
      "primary: loredex",
      "primary: replica",
      "replica: replica",
    ]);
    const ignored = [".gitignore", ".dockerignore"].map((name) => readFileSync(join(ROOT, name), "utf8"));
    for (const { file } of Object.values(secrets)) expect(file).toMatch(/^\.\/secrets\//);
    for (const text of ignored) expect(text).toMatch(/^deploy\/cluster\/secrets\/?$/m);
  });

  it("mounts files that are there, and waits for services that are there", () => {
    for (const { volumes: mounted = [], depends_on: waits = {} } of Object.values(services)) {
      for (const [source = ""] of mounted.map((volume) => volume.split(":"))) {
        if (source.startsWith("./")) expect(read(source)).not.toBe("");
        else expect(Object.keys(volumes)).toContain(source);
      }
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(waits)));
    }
  });

  it("lets no acknowledged write be on one disk alone", () => {
    expect(services.primary.command).toContain("synchronous_standby_names=replica");
    const replica = read("run-replica.sh");
    expect(replica).toContain("cluster_name=replica");
    // Made by the primary, so that it keeps what the replica has not read.
    expect(replica).toContain("--slot replica");
    expect(read("prepare-primary.sh")).toContain("pg_create_physical_replication_slot('replica')");
    // While the volume is prepared nobody follows: a commit would wait for ever.
    expect(read("prepare-primary.sh")).toContain("synchronous_commit=local");
  });

  it.skipIf(bash.isMissing)(bash.named("its scripts are whole"), () => {
    for (const script of ["prepare-primary.sh", "run-replica.sh"]) {
      const { status, stderr } = spawnSync("bash", ["-n", join(ROOT, FOLDER, script)], { encoding: "utf8" });
      expect([script, status, stderr]).toEqual([script, 0, ""]);
    }
  });
});

describe("the balancer", () => {
  it("asks each node whether it is ready, where the image tells that", () => {
    const [, image] = stagesOf(readFileSync(join(ROOT, "deploy/Dockerfile"), "utf8"));
    const port = variablesOf(image?.instructions ?? []).get("LOREDEX_HEALTH_PORT");
    expect(haproxy).toContain("option httpchk GET /ready");
    expect(haproxy).toMatch(new RegExp(`default-server check port ${port} `));
    expect(services.loredex.environment).toMatchObject({ LOREDEX_HEALTH_HOST: "0.0.0.0" });
    expect(haproxy).toMatch(/server-template node \d+ loredex:8080/);
  });

  it("notices a node that stops before that node takes no more requests", () => {
    const [, inter = 0, fall = 0] = /inter (\d+)s fall (\d+)/.exec(haproxy)?.map(Number) ?? [];
    const { found } = readEnvironment(ALL_OPTIONS, { ...services.loredex.environment });
    expect(found.get("drain")?.value).toBeGreaterThan(inter * fall * 1_000);
  });

  it("sends no request twice that a node may have got", () => {
    expect(haproxy).toMatch(/^ +retry-on conn-failure$/m);
  });

  it.skipIf(haproxyProgram.isMissing)(haproxyProgram.named("is understood by HAProxy"), () => {
    const path = join(ROOT, FOLDER, "haproxy.cfg");
    const { status, stderr } = spawnSync("haproxy", ["-c", "-f", path], { encoding: "utf8" });
    expect(status, stderr).toBe(0);
  });
});
