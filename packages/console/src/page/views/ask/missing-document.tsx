import { DocumentSearch } from "../../parts/document-search.tsx";
import { t } from "../../state/preferences.ts";
import type { Explained } from "./use-answers.ts";

/** Why is that not here: a document to explain that is not among the answers. */
export function MissingDocument({ bot, onChoose }: { bot: string; onChoose: (chosen: Explained) => void }) {
  const words = t.value.ask;
  return (
    <details class="missing">
      <summary>{words.missing}</summary>
      <DocumentSearch bot={bot} label={words.expected} hint={words.expectedHint} onChoose={onChoose} />
    </details>
  );
}
