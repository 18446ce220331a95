import { useEffect, useRef } from "preact/hooks";
import { pending } from "./api/client.ts";
import { signOut } from "./api/sign-in.ts";
import { Icon, Logo, Preferences } from "./parts/chrome.tsx";
import { Choice } from "./parts/field.tsx";
import { Link } from "./parts/link.tsx";
import { Empty, ErrorNotice } from "./parts/notice.tsx";
import { UndoToast } from "./parts/undo-toast.tsx";
import { bot, bots, chooseBot, loadBots } from "./state/bots.ts";
import { away, returns } from "./state/connection.ts";
import { forgetDrafts, unsavedCount } from "./state/drafts.ts";
import { isRestarting } from "./state/live.ts";
import { t } from "./state/preferences.ts";
import { addressOf, route, VIEWS, type View } from "./state/route.ts";
import { hasEnded, mayChange, session } from "./state/session.ts";
import { useLoaded } from "./state/use-loaded.ts";
import { Ask } from "./views/ask/ask.tsx";
import { Fleet } from "./views/fleet/fleet.tsx";
import { Gaps } from "./views/gaps/gaps.tsx";
import { Knowledge } from "./views/knowledge/knowledge.tsx";
import { Measure } from "./views/measure/measure.tsx";
import { SignIn } from "./views/sign-in.tsx";

/** The page: the sign-in, or the frame with a view. */
export function App() {
  if (session.value === undefined) return <Connection />;
  if (session.value === null) {
    return (
      <>
        <Connection />
        <SignIn isBack={false} />
      </>
    );
  }
  return (
    <>
      <Connection />
      {/* The view stays, with all that was typed, while somebody signs in again. */}
      <div class="frame" hidden={hasEnded.value}>
        <Frame />
      </div>
      {hasEnded.value && <SignInAgain />}
    </>
  );
}

/** A dialog above all others: one that is open in the view would block the sign-in. */
function SignInAgain() {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    // Else the second Escape would close this dialog, and the third one the dialog below, with what was typed there.
    const stay = (event: KeyboardEvent): void => {
      if (event.key === "Escape") event.preventDefault();
    };
    window.addEventListener("keydown", stay, { capture: true });
    element.current?.showModal();
    return () => window.removeEventListener("keydown", stay, { capture: true });
  }, []);
  return (
    <dialog
      ref={element}
      class="sign-in-again"
      aria-label={t.value.signIn.title}
      onCancel={(event) => event.preventDefault()}
      // A phone's back gesture may close it nevertheless.
      onClose={() => element.current?.showModal()}
    >
      <SignIn isBack />
    </dialog>
  );
}

function Frame() {
  const { view } = route.value;
  const words = t.value;
  const main = useRef<HTMLElement>(null);
  const before = useRef(view);
  const { error } = useLoaded((signal) => loadBots(signal), [session.value?.name]);
  useEffect(() => {
    document.title = `${words.views[view]} – Loredex`;
    // A person who follows a link by keys continues in the view.
    if (before.current !== view) main.current?.focus();
    before.current = view;
  }, [view, words]);
  return (
    <>
      <a class="skip" href="#view">
        {words.shell.skip}
      </a>
      <header class="side">
        <div class="brand">
          <Logo />
          <span class="brand-name">Loredex</span>
        </div>
        <Choice
          class="bot-choice"
          label={words.shell.bot}
          value={bot.value?.id ?? ""}
          onChange={chooseBot}
          options={(bots.value ?? []).map(({ id, name }) => [id, name] as const)}
        />
        <nav aria-label={words.shell.navigation}>
          {VIEWS.map((each) => (
            <Link key={each} to={addressOf(each)} class="nav-link" isCurrent={each === view}>
              <Icon name={each} />
              <span>{words.views[each]}</span>
            </Link>
          ))}
        </nav>
        <div class="side-end">
          <Preferences />
          <SignOut />
        </div>
      </header>
      <main id="view" ref={main} tabIndex={-1} class={`view view-${view}`}>
        <ErrorNotice error={error} />
        {bots.value !== undefined && <ViewOf view={view} />}
      </main>
      <UndoToast />
    </>
  );
}

const VIEW_OF: Readonly<Record<View, () => preact.JSX.Element>> = {
  ask: Ask,
  knowledge: Knowledge,
  gaps: Gaps,
  measure: Measure,
  fleet: Fleet,
};

function ViewOf({ view }: { view: View }) {
  if (bot.value === undefined && view !== "fleet") {
    return (
      <Empty>
        <p>{t.value.shell.noBots}</p>
        <p class="muted">{t.value.shell.newBot}</p>
      </Empty>
    );
  }
  const Chosen = VIEW_OF[view];
  return <Chosen key={bot.value?.id} />;
}

function SignOut() {
  const words = t.value.shell;
  const leave = async (): Promise<void> => {
    if (unsavedCount.value > 0 && !confirm(words.unsaved)) return;
    await signOut();
    forgetDrafts();
    bots.value = undefined;
  };
  return (
    <div class="signed-in">
      <span class="signed-in-name">
        {session.value?.name}
        {!mayChange.value && <span class="badge">{words.readOnly}</span>}
      </span>
      <button type="button" class="button-quiet" onClick={leave}>
        {words.signOut}
      </button>
    </div>
  );
}

/** Whether the server answers, and whether it is being waited for. */
function Connection() {
  const words = t.value.shell;
  const message = away.value ? (isRestarting.value ? words.restart : words.away) : returns.value > 0 ? words.back : "";
  return (
    <>
      <div class={pending.value > 0 ? "activity activity-on" : "activity"} aria-hidden="true" />
      <div class={away.value ? "connection connection-away" : "connection"} role="status" key={returns.value}>
        {message}
      </div>
    </>
  );
}
