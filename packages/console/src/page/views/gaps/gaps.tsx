import { useState } from "preact/hooks";
import { call, get, ofBot } from "../../api/client.ts";
import type { Gap, QuestionRow } from "../../api/types.ts";
import { ChangeButton } from "../../parts/change-button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Heading } from "../../parts/field.tsx";
import { Empty, ErrorNotice } from "../../parts/notice.tsx";
import { bot, loadBots } from "../../state/bots.ts";
import { t } from "../../state/preferences.ts";
import { useAttempt } from "../../state/use-attempt.ts";
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
  const [message, setMessage] = useState("");
  const isEmpty = data?.length === 0 && !isOff;
  const asked = useLoaded(
    (signal) => (isEmpty ? get<QuestionRow[]>(`${ofBot(id, "questions")}?limit=1`, signal) : undefined),
    [id, isEmpty, message],
    EVERY_MS,
  ).data;
  const [golden, setGolden] = useState<Gap>();
  const [isClearing, setClearing] = useState(false);
  const { problem, attempt } = useAttempt();
  return (
    <>
      <Heading>{t.value.views.gaps}</Heading>
      <p class="muted intro">{words.intro}</p>
      <ErrorNotice error={problem ?? error} />
      <div role="status">{message !== "" && <p class="notice notice-good">{message}</p>}</div>
      {isOff && (
        <div class="notice notice-calm">
          <p>{words.off}</p>
          <ChangeButton
            class="button button-strong"
            onClick={() =>
              attempt(async () => {
                await call("PUT", ofBot(id), { body: { questionLog: true } });
                await loadBots();
              })
            }
          >
            {words.turnOn}
          </ChangeButton>
        </div>
      )}
      {asked !== undefined && <Empty>{asked.length === 0 ? words.notAsked : words.none}</Empty>}
      {data !== undefined && <GapsTable gaps={data} onGolden={setGolden} />}
      <FindingsOf bot={id} />
      {!isOff && (
        <p class="block">
          <ChangeButton onClick={() => setClearing(true)}>{words.clear}</ChangeButton>
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
