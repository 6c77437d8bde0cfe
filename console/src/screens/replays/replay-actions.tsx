import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import type { GetReplayResponse } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { saveFile } from '../../ui/save-file.ts';
import styles from './replays.module.css';
import { parseNewSearch } from './search.ts';

/** What can be done with a replay: pause, resume or cancel it, save its report, and start another one of the same runs. */
export function ReplayActions({ replay }: { replay: GetReplayResponse }) {
  const may = useMay();
  const { temporalUrl, settledAt, status, runs } = replay;
  const isOpen = status === 'running' || status === 'paused';
  return (
    <>
      {temporalUrl !== null && (
        <a href={temporalUrl} target="_blank" rel="noreferrer" className={styles.link}>
          Open in Temporal
        </a>
      )}
      {may('conversations:read') && runs.done > 0 && <Saving replay={replay} />}
      {may('conversations:read') && may('replays:write') && settledAt !== null && <Again replay={replay} />}
      {may('replays:write') && isOpen && <Controls replay={replay} />}
    </>
  );
}

function Controls({ replay: { id, status } }: { replay: GetReplayResponse }) {
  const queries = useQueryClient();
  const control = useMutation({
    mutationFn: (command: 'pause' | 'resume' | 'cancel') => holdfast.replays[command](id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['replays'] }),
  });
  return (
    <>
      <Problem error={control.error} />
      {status === 'running' && <Button onPress={() => control.mutate('pause')}>Pause</Button>}
      {status === 'paused' && <Button onPress={() => control.mutate('resume')}>Resume</Button>}
      <Button kind="bad" isPending={control.isPending} onPress={() => control.mutate('cancel')}>
        Cancel
      </Button>
    </>
  );
}

/** Saves the report as one page that opens from disk and loads nothing. */
function Saving({ replay: { id } }: { replay: GetReplayResponse }) {
  const save = useMutation({
    mutationFn: async () => {
      const page = await holdfast.replays.report(id, { format: 'html' });
      saveFile(page, `replay-${id}.html`);
    },
  });
  return (
    <>
      <Problem error={save.error} />
      <Button isPending={save.isPending} onPress={() => save.mutate()}>
        Save the report
      </Button>
    </>
  );
}

/** Leads to a new replay of the same runs. */
function Again({ replay }: { replay: GetReplayResponse }) {
  const { turnIds, ...selection } = replay.input.selection;
  return (
    <Link
      to="/replays/new"
      search={parseNewSearch({ ...selection, turnIds: turnIds?.join() })}
      className={styles.link}
    >
      Replay the same runs
    </Link>
  );
}
