import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../api/client.ts";
import { signIn } from "../api/sign-in.ts";
import { Logo, Preferences } from "../parts/chrome.tsx";
import { messageOf } from "../parts/notice.tsx";
import { t } from "../state/preferences.ts";

/** Exchanges an admin key for a session. The key is kept nowhere. */
export function SignIn({ isBack }: { isBack: boolean }) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const words = t.value.signIn;
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const key = field.current?.value.trim() ?? "";
    if (key === "") return field.current?.focus();
    setBusy(true);
    setProblem(undefined);
    try {
      await signIn(key);
    } catch (error) {
      setProblem(problemOf(error as Error));
      setBusy(false);
      field.current?.select();
    }
  };
  return (
    <main class="sign-in">
      <form class="card sign-in-card" onSubmit={submit}>
        <Logo />
        <h1>{words.title}</h1>
        {isBack && <p class="notice notice-calm">{words.ended}</p>}
        <div class="field">
          <label for="admin-key">{words.key}</label>
          <input
            id="admin-key"
            ref={field}
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            aria-describedby="admin-key-hint"
            aria-invalid={problem !== undefined}
          />
          <p class="hint" id="admin-key-hint">
            {words.hint}
          </p>
        </div>
        {problem !== undefined && (
          <p class="notice notice-error" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="button button-strong" disabled={isBusy}>
          {words.button}
        </button>
      </form>
      <Preferences />
    </main>
  );
}

function problemOf(error: Error): string {
  const words = t.value.signIn;
  if (!(error instanceof ApiError)) return messageOf(error);
  if (error.status === 401) return words.wrong;
  if (error.status === 429 && error.retryAfterSeconds !== undefined) return words.slowed(error.retryAfterSeconds);
  return error.message;
}
