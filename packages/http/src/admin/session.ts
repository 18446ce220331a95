import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type AdminIdentity, type AdminSession, LoredexError, SIGN_IN_CHARACTERS_MAX } from "@loredex/core";
import { HttpError, signInsExceeded } from "../errors.ts";
import type { JsonRecord } from "../json.ts";
import { jsonReply, type Reply } from "../reply.ts";
import { isOfSessionScheme, isSameOrigin, sessionCookie } from "./cookies.ts";
import { aText, readFields, readNoQuery } from "./fields.ts";
import type { ApiAdmin } from "./port.ts";
import { type AdminRequest, DONE, dataReply } from "./request.ts";

/** Sign-in: an admin key or a one-time code is exchanged for a session. */

export const SESSION_PATH = "/api/v1/admin/session";

/** Requests of one unix socket count as one address. */
const LOCAL_ADDRESS = "local";

interface SignInRequest {
  readonly request: IncomingMessage;
  readonly query: string;
  readonly json: () => Promise<JsonRecord>;
}

/** `POST /session`. @throws HttpError `CROSS_SITE`, `SIGN_INS_EXCEEDED`, `UNAUTHENTICATED` */
export async function signIn(admin: ApiAdmin, { request, query, json }: SignInRequest): Promise<SignedIn> {
  // A page of another site must not sign a browser in: its user would then work for somebody else.
  if (isSameOrigin(request) === false) throw new HttpError("CROSS_SITE");
  readNoQuery(query);
  const { key } = readFields(await json(), { key: aText({ max: SIGN_IN_CHARACTERS_MAX }) });
  const { administration } = admin;
  const attempt = async (): Promise<AdminIdentity | undefined> =>
    (await administration.authenticate(key)) ?? (await admin.redeemCode(key));
  const address = request.socket.remoteAddress ?? LOCAL_ADDRESS;
  const { waitMs, result: known } = await administration.signIn(address, attempt);
  if (waitMs > 0) throw signInsExceeded(waitMs);
  if (known === undefined) throw new HttpError("UNAUTHENTICATED", NO_SUCH_KEY);
  const session = await administration.openSession(known).catch((error: unknown) => {
    // The key was revoked or rotated a moment ago.
    const isGone = error instanceof LoredexError && error.code === "KEY_NOT_FOUND";
    throw isGone ? new HttpError("UNAUTHENTICATED", NO_SUCH_KEY) : error;
  });
  const seconds = Math.max(0, Math.floor((Date.parse(session.expiresAt) - Date.now()) / 1_000));
  const headers = { "set-cookie": sessionCookie(request, session.token, seconds) };
  return { name: session.identity.name, reply: jsonReply(200, { success: true, data: shown(session) }, headers) };
}

const NO_SUCH_KEY = "This is no valid admin key, and no sign-in code that still works.";

interface SignedIn {
  /** The name of the admin key. */
  readonly name: string;
  readonly reply: Reply;
}

/** `GET /session`. @throws HttpError `UNAUTHENTICATED` for a request with a key, which needs no session */
export async function showSession({ admin, token }: AdminRequest): Promise<Reply> {
  const session = token === undefined ? undefined : await admin.administration.session(token);
  if (session === undefined) throw new HttpError("UNAUTHENTICATED", NO_SESSION);
  return dataReply(shown(session));
}

/** `DELETE /session`. @throws as {@link showSession} */
export async function closeSession({ admin, token, request }: AdminRequest): Promise<Reply> {
  if (token === undefined) throw new HttpError("UNAUTHENTICATED", NO_SESSION);
  await admin.administration.closeSession(token);
  return { ...DONE(), headers: { ...DONE().headers, "set-cookie": sessionCookie(request, "", 0) } };
}

const NO_SESSION = "There is no session: sign in with POST /api/v1/admin/session.";

function shown({ identity, csrfToken, expiresAt }: AdminSession) {
  const { name, scope, bots } = identity;
  return { name, scope, ...(bots === undefined ? {} : { bots }), csrfToken, expiresAt };
}

/** Requires what a change by a session needs. @throws HttpError `CROSS_SITE` */
export function requireSameSite(request: IncomingMessage, { csrfToken }: AdminSession): void {
  const [token = "", ...more] = request.headersDistinct["x-csrf-token"] ?? [];
  const isSame = isSameOrigin(request) === true && isOfSessionScheme(request);
  if (!isSame || more.length > 0 || !isEqual(token, csrfToken)) throw new HttpError("CROSS_SITE");
}

/** Compares in a time that tells nothing. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
