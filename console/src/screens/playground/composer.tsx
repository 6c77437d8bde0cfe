import { useMutation } from '@tanstack/react-query';
import { useId, useState, type KeyboardEvent } from 'react';
import { holdfast } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './composer.module.css';

/** What a message does to the turn that runs. */
type OnBusy = 'steer' | 'enqueue' | 'interrupt';

/** A file that was uploaded for a message. */
interface Attached {
  id: string;
  name: string;
  mediaType: string;
}

/** A message to send. */
export interface Sending {
  text: string;
  files: readonly Attached[];
  /** Null when no turn runs. */
  onBusy: OnBusy | null;
}

interface ComposerProps {
  draft: string;
  onDraft: (draft: string) => void;
  runningTurnId: string | null;
  isSending: boolean;
  onSend: (sending: Sending) => Promise<unknown>;
}

const busyOptions = [
  { value: 'steer', text: 'Steer the running turn' },
  { value: 'enqueue', text: 'Send after it' },
  { value: 'interrupt', text: 'Interrupt it' },
] as const;

/** The field for the next message. Enter sends it, Shift and Enter begins a new line. */
export function Composer({ draft, onDraft, runningTurnId, isSending, onSend }: ComposerProps) {
  const [files, setFiles] = useState<readonly Attached[]>([]);
  const [onBusy, setOnBusy] = useState<OnBusy>('steer');
  const stop = useMutation({ mutationFn: (turnId: string) => holdfast.turns.cancel(turnId) });
  const upload = useMutation({
    mutationFn: uploadFiles,
    onSuccess: (added) => setFiles((before) => [...before, ...added]),
  });
  const isEmpty = draft.trim() === '' && files.length === 0;
  const send = () => {
    if (isEmpty || isSending) return;
    const sending = { text: draft.trim(), files, onBusy: runningTurnId === null ? null : onBusy };
    // The page shows why it was refused; the text stays.
    onSend(sending).then(
      () => setFiles([]),
      () => undefined,
    );
  };
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <MessageField draft={draft} onDraft={onDraft} onSend={send} />
      <Files files={files} onRemove={(removed) => setFiles(files.filter((file) => file.id !== removed))} />
      <Problem error={upload.error ?? stop.error} />
      <div className={styles.row}>
        <FileButton isPending={upload.isPending} onFiles={upload.mutate} />
        {runningTurnId !== null && (
          <Choice
            label="While it runs"
            hidesLabel
            value={onBusy}
            options={busyOptions}
            onChange={setOnBusy}
          />
        )}
        <span className={styles.space} />
        {runningTurnId !== null && (
          <Button kind="bad" isPending={stop.isPending} onPress={() => stop.mutate(runningTurnId)}>
            Stop
          </Button>
        )}
        <Button kind="main" type="submit" isPending={isSending} isDisabled={isEmpty}>
          Send
        </Button>
      </div>
    </form>
  );
}

interface MessageFieldProps {
  draft: string;
  onDraft: (draft: string) => void;
  onSend: () => void;
}

function MessageField({ draft, onDraft, onSend }: MessageFieldProps) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  return (
    <>
      <label htmlFor={id} className="visually-hidden">
        Message
      </label>
      <textarea
        id={id}
        className={styles.text}
        rows={Math.min(8, Math.max(2, draft.split('\n').length))}
        value={draft}
        placeholder="Write to the agent"
        onChange={(event) => onDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </>
  );
}

function Files({ files, onRemove }: { files: readonly Attached[]; onRemove: (id: string) => void }) {
  if (files.length === 0) return null;
  return (
    <ul className={styles.files}>
      {files.map(({ id, name }) => (
        <li key={id}>
          {name}
          <Button kind="plain" label={`Remove ${name}`} onPress={() => onRemove(id)}>
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}

function FileButton({ isPending, onFiles }: { isPending: boolean; onFiles: (files: File[]) => void }) {
  const id = useId();
  return (
    <span className={styles.attach}>
      <input
        id={id}
        type="file"
        multiple
        className="visually-hidden"
        disabled={isPending}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <label htmlFor={id}>{isPending ? 'Uploading …' : 'Attach a file'}</label>
    </span>
  );
}

function uploadFiles(files: readonly File[]): Promise<Attached[]> {
  return Promise.all(
    files.map(async (file) => {
      const { id, mediaType } = await holdfast.files.create({ file });
      return { id, name: file.name, mediaType };
    }),
  );
}
