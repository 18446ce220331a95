import { Link } from "../../parts/link.tsx";
import { bot } from "../../state/bots.ts";
import { t } from "../../state/preferences.ts";
import { addressOf, route } from "../../state/route.ts";
import { Documents } from "./documents.tsx";
import { Editor } from "./editor.tsx";
import { Sources } from "./sources.tsx";
import { VocabularyEditor } from "./vocabulary-editor.tsx";

const PARTS = ["documents", "sources", "vocabulary"] as const;

/** What a bot knows: its documents, their sources, and the words of its questions. */
export function Knowledge() {
  const id = bot.value?.id ?? "";
  const [part = "documents", document = ""] = route.value.rest;
  if (part === "new") return <Editor key="new" bot={id} id={undefined} />;
  if (part === "edit") return <Editor key={document} bot={id} id={document} />;
  const shown = PARTS.find((each) => each === part) ?? "documents";
  return (
    <>
      <div class="heading">
        <h1>{t.value.views.knowledge}</h1>
        <div class="tabs">
          {PARTS.map((each) => (
            <Link
              key={each}
              to={addressOf(each === "documents" ? "knowledge" : `knowledge/${each}`)}
              class="tab"
              isCurrent={each === shown}
            >
              {t.value.knowledge.tabs[each]}
            </Link>
          ))}
        </div>
      </div>
      {shown === "documents" && <Documents bot={id} />}
      {shown === "sources" && <Sources bot={id} />}
      {shown === "vocabulary" && <VocabularyEditor bot={id} />}
    </>
  );
}
