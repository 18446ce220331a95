import { useState } from "preact/hooks";
import { deletions, dismiss, undo, undone } from "../state/deletions.ts";
import { t } from "../state/preferences.ts";
import { messageOf } from "./notice.tsx";

/** Offers to undo the last delete, in every view. There is one button, however many articles were deleted. */
export function UndoToast() {
  const [isBusy, setBusy] = useState(false);
  const [last] = deletions.value;
  const words = t.value.knowledge;
  const message =
    last === undefined
      ? undone.value && words.undone(undone.value.article.title)
      : last.error === undefined && words.deleted(last.article.title);
  const isShown = last !== undefined || undone.value !== undefined;
  return (
    <div class={isShown ? "toast" : "toast toast-empty"}>
      <div role="status">{message && <p>{message}</p>}</div>
      {last?.error !== undefined && (
        <div role="alert">
          <p class="lines-kept">{messageOf(last.error)}</p>
          <p>{words.undoFailed(last.article.title)}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
          <pre class="toast-text" tabIndex={0}>
            {last.article.body}
          </pre>
        </div>
      )}
      {last !== undefined && (
        <div class="actions">
          <button
            type="button"
            class="button button-strong"
            disabled={isBusy}
            onClick={async () => {
              setBusy(true);
              await undo(last);
              setBusy(false);
            }}
          >
            {words.undo}
          </button>
          {last.error !== undefined && (
            <button type="button" class="button-quiet" onClick={() => dismiss(last)}>
              {t.value.shell.close}
            </button>
          )}
        </div>
      )}
      {last === undefined && undone.value !== undefined && (
        <button
          type="button"
          class="button-quiet"
          onClick={() => {
            undone.value = undefined;
          }}
        >
          {t.value.shell.close}
        </button>
      )}
    </div>
  );
}
