import { useEffect, useRef, useState } from "preact/hooks";
import { call, ofBot } from "../../api/client.ts";
import { sendFile } from "../../api/send-file.ts";
import type { Job } from "../../api/types.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, FileField } from "../../parts/field.tsx";
import { documentChanges } from "../../state/deletions.ts";
import { t } from "../../state/preferences.ts";
import { follow } from "../../state/use-job.ts";
import { type Import, ImportReport } from "./import-report.tsx";

const FILE_BYTES_MAX = 67_108_864;

/** Brings files and pages into a bot, one after the other, and reports each. */
export function Uploads({ bot, onClose }: { bot: string; onClose: () => void }) {
  const words = t.value.uploads;
  const [files, setFiles] = useState<readonly File[]>([]);
  const [addresses, setAddresses] = useState("");
  const [source, setSource] = useState("");
  const [imports, setImports] = useState<readonly Import[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [isEmpty, setEmpty] = useState(false);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const { signal } = stop.current;
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    const pages = addresses.split("\n").flatMap((line) => line.trim() || []);
    setEmpty(files.length + pages.length === 0);
    if (files.length + pages.length === 0) return;
    setBusy(true);
    const named = source.trim();
    const begin = [
      ...files.map((file) => ({ name: file.name, begin: (note: Note) => upload(bot, file, named, signal, note) })),
      ...(pages.length > 0 ? [{ name: pages.join(", "), begin: () => importPages(bot, pages, named) }] : []),
    ];
    setImports(begin.map(({ name }) => ({ name, state: "waiting" })));
    for (const [i, { begin: beginOne }] of begin.entries()) {
      const note: Note = (change) =>
        setImports((before) => before.map((each, at) => (at === i ? { ...each, ...change } : each)));
      await bring(bot, beginOne, signal, note);
      documentChanges.value += 1;
    }
    setFiles([]);
    setBusy(false);
  };
  return (
    <Dialog title={words.title} onClose={onClose} wide>
      <form class="form" onSubmit={start}>
        <FileField label={words.files} hint={words.filesHint} multiple onChange={setFiles} />
        <Field label={words.addresses} hint={words.addressesHint} value={addresses} rows={3} onInput={setAddresses} />
        <Field label={words.source} hint={words.sourceHint} value={source} onInput={setSource} />
        {isEmpty && <p role="alert">{words.nothing}</p>}
        <div class="actions actions-end">
          <button type="submit" class="button button-strong" disabled={isBusy}>
            {words.start}
          </button>
        </div>
      </form>
      <ImportReport imports={imports} />
    </Dialog>
  );
}

type Note = (change: Partial<Import>) => void;

async function bring(bot: string, begin: (note: Note) => Promise<Job>, signal: AbortSignal, note: Note): Promise<void> {
  try {
    note({ state: "sending" });
    const job = await begin(note);
    note({ state: "working", job });
    const ended = await follow(bot, job.id, signal, (job) => note({ job }));
    note({ state: ended.state === "failed" ? "failed" : "done", job: ended });
  } catch (error) {
    note({ state: "failed", error: error as Error });
  }
}

function upload(bot: string, file: File, source: string, signal: AbortSignal, note: Note): Promise<Job> {
  if (file.size > FILE_BYTES_MAX) return Promise.reject(new Error(t.value.uploads.tooLarge));
  const parameters = new URLSearchParams({ name: file.name, ...(source !== "" && { source }) });
  return sendFile(`${ofBot(bot, "uploads")}?${parameters}`, file, signal, (sent) => note({ sent }));
}

async function importPages(bot: string, addresses: readonly string[], source: string): Promise<Job> {
  return (await call<Job>("POST", ofBot(bot, "imports"), { body: { addresses, ...(source !== "" && { source }) } }))
    .data;
}
