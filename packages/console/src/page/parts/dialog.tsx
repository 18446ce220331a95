import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../state/preferences.ts";

/** A modal dialog of the browser: Escape closes it, and the focus returns. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean }) {
  const { title, onClose, children, wide = false } = props;
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={element} class={wide ? "dialog dialog-wide" : "dialog"} aria-labelledby={id} onClose={onClose}>
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="button-quiet" onClick={onClose}>
          {t.value.shell.close}
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** Asks before something that cannot be undone here. */
export function Confirm(props: {
  title: string;
  hint?: string | undefined;
  action: string;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      {props.hint !== undefined && <p>{props.hint}</p>}
      <div class="actions actions-end">
        <button type="button" class="button" onClick={props.onClose}>
          {t.value.shell.cancel}
        </button>
        <button
          type="button"
          class="button button-danger"
          onClick={() => {
            props.onClose();
            props.onConfirm();
          }}
        >
          {props.action}
        </button>
      </div>
    </Dialog>
  );
}
