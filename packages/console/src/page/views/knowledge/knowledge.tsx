import { Heading } from "../../parts/field.tsx";
import { Tabs } from "../../parts/tabs.tsx";
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
  const parts = PARTS.map((each) => ({
    to: addressOf(each === "documents" ? "knowledge" : `knowledge/${each}`),
    name: t.value.knowledge.tabs[each],
    isCurrent: each === shown,
  }));
  return (
    <>
      <Heading aside={<Tabs parts={parts} />}>{t.value.views.knowledge}</Heading>
      {shown === "documents" && <Documents bot={id} />}
      {shown === "sources" && <Sources bot={id} />}
      {shown === "vocabulary" && <VocabularyEditor bot={id} />}
    </>
  );
}
