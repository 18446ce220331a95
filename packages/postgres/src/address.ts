/** The address of a database: what is refused in it, and how the driver gets it. */

import { accessSync, constants, readFileSync } from "node:fs";
import { type kinds, ValidationError } from "@loredex/core";

/** The parameters of an address that `pg` obeys. */
const PARAMETERS: ReadonlySet<string> = new Set([
  "application_name",
  "host",
  "options",
  "port",
  "sslcert",
  "sslkey",
  "sslmode",
  "sslrootcert",
  "uselibpqcompat",
  "user",
]);
const MODES: ReadonlySet<string> = new Set(["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"]);
const PORT_MAX = 65_535;
/** Parameters that name files, and the variables that stand for them. */
const FILES = { sslrootcert: "PGSSLROOTCERT", sslcert: "PGSSLCERT", sslkey: "PGSSLKEY" } as const;

export const A_URL: kinds.Kind<string> = (given, field) => {
  const message = wrongIn(given);
  return message === undefined ? [] : [{ field, type: "url", message: message.replace("URL", field) }];
};

/** What is wrong with an address, without its password; `URL` stands for its name. */
function wrongIn(given: unknown): string | undefined {
  if (typeof given !== "string" || !URL.canParse(given) || !/^postgres(ql)?:$/.test(new URL(given).protocol)) {
    return "URL must be an address such as postgres://user@host:5432/database";
  }
  const url = new URL(given);
  const names = [...url.searchParams.keys()];
  // A mistyped `sslmode` would be a connection without TLS.
  const unknown = names.filter((name) => !PARAMETERS.has(name));
  if (unknown.length > 0) {
    return `URL has parameters that are not known: ${unknown.slice(0, 5).join(", ").slice(0, 200)}. Known are: ${[...PARAMETERS].join(", ")}`;
  }
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) return `URL has the parameter ${twice} twice`;
  const port = url.searchParams.get("port") || url.port || process.env.PGPORT;
  if (port !== undefined && !isPort(port)) {
    return `URL cannot be used: the port, of the address or of PGPORT, is a whole number from 1 to ${PORT_MAX}`;
  }
  const { mode, from, files } = tlsOf(url);
  if (mode === undefined) return undefined;
  if (!MODES.has(mode)) return `URL cannot be used: ${from} is none of ${[...MODES].join(", ")}`;
  if (mode === "verify-ca" && files.sslrootcert === undefined) {
    return "URL cannot be used: verify-ca needs sslrootcert, a file with the certificate of the authority";
  }
  return undefined;
}

function isPort(text: string): boolean {
  return /^[0-9]{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= PORT_MAX;
}

interface Tls {
  /** Undefined without TLS. */
  readonly mode: string | undefined;
  /** Where the mode was given. */
  readonly from: "sslmode" | "PGSSLMODE";
  readonly files: Readonly<Partial<Record<keyof typeof FILES, string>>>;
}

/** What an address says of TLS. What it lacks is taken from the variables, as PostgreSQL's own programs do. */
function tlsOf({ searchParams }: URL): Tls {
  const own = searchParams.get("sslmode");
  const names = Object.keys(FILES).filter((name): name is keyof typeof FILES => name in FILES);
  // A file without a mode is given by somebody who wants the server to be checked.
  const byFile = names.some((name) => searchParams.has(name)) ? "verify-full" : undefined;
  const mode = own ?? (process.env.PGSSLMODE || byFile);
  const files = names.flatMap((name) => {
    const file = searchParams.get(name) || process.env[FILES[name]];
    return file ? [[name, file] as const] : [];
  });
  return { mode, from: own === null ? "PGSSLMODE" : "sslmode", files: Object.fromEntries(files) };
}

/**
 * The address as the driver gets it, with the password of the file.
 * @throws ValidationError if one of its files cannot be read
 */
export function addressOf(given: string, passwordFile: string | undefined): string {
  const url = new URL(given);
  if (passwordFile !== undefined) url.password = encodeURIComponent(passwordIn(passwordFile));
  const { mode, files } = tlsOf(url);
  if (mode === undefined) return url.href;
  url.searchParams.set("sslmode", mode);
  for (const [name, file] of Object.entries(files)) {
    readFrom(name, file, () => accessSync(file, constants.R_OK));
    url.searchParams.set(name, file);
  }
  // With `uselibpqcompat` modes mean what they mean to PostgreSQL's own programs. The driver knows `no-verify` only without it.
  if (mode === "no-verify") url.searchParams.delete("uselibpqcompat");
  else if (!url.searchParams.has("uselibpqcompat")) url.searchParams.set("uselibpqcompat", "true");
  return url.href;
}

function passwordIn(file: string): string {
  return readFrom("options.passwordFile", file, () => readFileSync(file, "utf8").replace(/\r?\n$/, ""));
}

function readFrom<Result>(field: string, file: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "it is unreadable";
    throw new ValidationError([{ field, type: "file", message: `${field} cannot be read: ${file} (${code})` }]);
  }
}
