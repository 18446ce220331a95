import type { ComponentChildren } from "preact";
import { ApiError, NoAnswerError } from "../api/client.ts";
import { t } from "../state/preferences.ts";

/** What went wrong, in the server's own words. */
export function ErrorNotice({ error, children }: { error: Error | undefined; children?: ComponentChildren }) {
  if (error === undefined) return null;
  return (
    <div class="notice notice-error" role="alert">
      <p class="lines-kept">{messageOf(error)}</p>
      {children}
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

export function messageOf(error: Error): string {
  if (error instanceof NoAnswerError) return t.value.shell.noAnswer;
  if (error instanceof ApiError && error.retryAfterSeconds !== undefined && error.status === 429)
    return `${error.message} (${error.retryAfterSeconds} s)`;
  return error.message;
}
