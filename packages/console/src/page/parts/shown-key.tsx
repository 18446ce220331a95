import { useRef, useState } from "preact/hooks";
import { t } from "../state/preferences.ts";

/** A new key, which nobody can see again. It stays until a person hides it, or leaves. */
export function ShownKey({ name, text, onHide }: { name: string; text: string; onHide: () => void }) {
  const words = t.value.bots;
  const code = useRef<HTMLElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (code.current !== null) setCopied(await copyOf(code.current));
  };
  return (
    <div class="notice notice-good" role="status">
      <p>{words.shownOnce(name)}</p>
      <code class="shown-key" ref={code}>
        {text}
      </code>
      <div class="actions">
        <button type="button" class="button" onClick={copy}>
          {words.copy}
        </button>
        <button type="button" class="button-quiet" onClick={onHide}>
          {words.hide}
        </button>
        {isCopied && <span>{words.copied}</span>}
      </div>
    </div>
  );
}

/** Whether the text of an element is in the clipboard now. */
async function copyOf(element: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(element.textContent ?? "");
    return true;
  } catch {
    // On plain http a page has no such clipboard. The text is selected, for a person's own keys too.
    getSelection()?.selectAllChildren(element);
    return document.execCommand("copy");
  }
}
