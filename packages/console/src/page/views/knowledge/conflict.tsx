import type { Draft } from "../../api/types.ts";
import { t } from "../../state/preferences.ts";
import { newLines } from "./editor-text.ts";
import type { ConflictState } from "./use-save.ts";

interface Props {
  readonly conflict: ConflictState | undefined;
  readonly draft: Draft;
  /** One's own text, after theirs was taken. */
  readonly mine: Draft | undefined;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
}

/** Somebody else saved or deleted the article meanwhile: both texts are on the screen. */
export function Conflict({ conflict, draft, mine, onKeepMine, onTakeTheirs }: Props) {
  const words = t.value.editor;
  return (
    <>
      {conflict !== undefined && conflict.kind !== "keptMine" && (
        <div class="notice notice-error" role="alert">
          <p>{conflict.kind === "changed" ? words.conflict : words.gone}</p>
          {conflict.kind === "changed" && (
            <div class="actions">
              <button type="button" class="button" onClick={onKeepMine}>
                {words.keepMine}
              </button>
              <button type="button" class="button" onClick={onTakeTheirs}>
                {words.takeTheirs}
              </button>
            </div>
          )}
        </div>
      )}
      {conflict?.kind === "keptMine" && <p class="notice notice-calm">{words.keptMine}</p>}
      {conflict !== undefined && conflict.kind !== "gone" && (
        <OtherText
          name={words.theirs}
          title={conflict.theirs.article.title}
          body={conflict.theirs.article.body}
          beside={draft.body}
        />
      )}
      {mine !== undefined && <OtherText name={words.mine} title={mine.title} body={mine.body} beside={draft.body} />}
    </>
  );
}

/** A text beside the one in the fields. Lines that only it has are marked. */
function OtherText(props: { name: string; title: string; body: string; beside: string }) {
  const { name, title, body, beside } = props;
  const changed = newLines(beside, body);
  return (
    <section class="card other-text" aria-label={name}>
      <h2>{name}</h2>
      <h3>{title}</h3>
      <div class="other-lines">
        {body.split("\n").map((line, i) => (
          // Lines of a text that does not change.
          <div key={i} class={changed.has(i) ? "other-line other-line-new" : "other-line"}>
            {line === "" ? "\u00a0" : line}
          </div>
        ))}
      </div>
    </section>
  );
}
