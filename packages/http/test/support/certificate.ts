import { createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import type { Certificate } from "../../src/certificate.ts";

/** What it is for, and how long it holds. */
export interface Wanted {
  /** Names of hosts. Default `localhost`. */
  readonly names?: readonly string[];
  readonly from?: Date;
  readonly until?: Date;
}

const HOUR_MS = 3_600_000;
const PEM_LINE = /.{1,64}/g;

/** A certificate that vouches for itself, and its key: made anew, so that none with a key lies anywhere. */
export function makeCertificate({ names = ["localhost"], from, until }: Wanted = {}): Certificate {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(COMMON_NAME, der(0x0c, Buffer.from("test")))));
  const nowMs = Date.now();
  const facts = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    WITH_ECDSA_AND_SHA256,
    name,
    sequence(time(from ?? new Date(nowMs - HOUR_MS)), time(until ?? new Date(nowMs + HOUR_MS))),
    name,
    createPublicKey(privateKey).export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(ALTERNATIVE_NAMES, der(0x04, sequence(...names.map(hostName)))))),
  );
  const signature = sign("sha256", facts, privateKey);
  const whole = sequence(facts, WITH_ECDSA_AND_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = (whole.toString("base64").match(PEM_LINE) ?? []).join("\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** A value of ASN.1 in its distinguished form: its tag, its length, itself. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), value]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), value]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, ...parts);
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const hostName = (name: string): Buffer => der(0x82, Buffer.from(name));

/** `YYYYMMDDhhmmssZ`, which holds for every year. */
function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replace(/[-T:]/g, "")}Z`));
}

const COMMON_NAME = objectId("550403");
const ALTERNATIVE_NAMES = objectId("551d11");
const WITH_ECDSA_AND_SHA256 = sequence(objectId("2a8648ce3d040302"));
