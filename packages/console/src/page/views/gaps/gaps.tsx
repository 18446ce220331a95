import { useState } from "preact/hooks";
import { call, get, ofBot } from "../../api/client.ts";
import type { Gap } from "../../api/types.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { Heading } from "../../parts/field.tsx";
import { Empty, ErrorNotice } from "../../parts/notice.tsx";
import { bot, loadBots } from "../../state/bots.ts";
import { t } from "../../state/preferences.ts";
import { session } from "../../state/session.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { FindingsOf } from "./findings.tsx";
import { GapsTable } from "./gaps-table.tsx";
import { GoldenFromGap } from "./golden-from-gap.tsx";

/** A gap appears while one watches. */
const EVERY_MS = 3000;

/** What users asked and did not find. */
export function Gaps() {
  const words = t.value.gaps;
  const id = bot.value?.id ?? "";
  const isOff = bot.value?.questionLog === false;
  const { data, error } = useLoaded((signal) => get<Gap[]>(ofBot(id, "gaps"), signal), [id, isOff], EVERY_MS);
  const [golden, setGolden] = useState<Gap>();
  const [isClearing, setClearing] = useState(false);
  const [message, setMessage] = useState("");
  const [problem, setProblem] = useState<Error>();
  const mayChange = session.value?.scope === "write";
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(error as Error);
    }
  };
  return (
    <>
      <Heading>{t.value.views.gaps}</Heading>
      <p class="muted intro">{words.intro}</p>
      <ErrorNotice error={problem ?? error} />
      <div role="status">{message !== "" && <p class="notice notice-good">{message}</p>}</div>
      {isOff && (
        <div class="notice notice-calm">
          <p>{words.off}</p>
          <button
            type="button"
            class="button button-strong"
            disabled={!mayChange}
            onClick={() =>
              attempt(async () => {
                await call("PUT", ofBot(id), { body: { questionLog: true } });
                await loadBots();
              })
            }
          >
            {words.turnOn}
          </button>
        </div>
      )}
      {data?.length === 0 && !isOff && <Empty>{words.none}</Empty>}
      {data !== undefined && <GapsTable gaps={data} mayChange={mayChange} onGolden={setGolden} />}
      <FindingsOf bot={id} />
      {!isOff && (
        <p class="block">
          <button type="button" class="button" disabled={!mayChange} onClick={() => setClearing(true)}>
            {words.clear}
          </button>
        </p>
      )}
      {golden !== undefined && (
        <GoldenFromGap
          bot={id}
          gap={golden}
          onClose={() => setGolden(undefined)}
          onDone={(title) => setMessage(words.chosen(title))}
        />
      )}
      {isClearing && (
        <Confirm
          title={words.clearTitle}
          action={words.clear}
          onClose={() => setClearing(false)}
          onConfirm={() =>
            void attempt(async () => {
              await call("DELETE", ofBot(id, "questions"));
              setMessage(words.cleared);
            })
          }
        />
      )}
    </>
  );
}
