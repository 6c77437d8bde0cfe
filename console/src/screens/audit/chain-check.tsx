import { useMutation } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import type { VerifyAuditEventsResponse } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { formatCount } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { Part } from '../../ui/split.tsx';
import { Status } from '../../ui/status.tsx';
import styles from './audit.module.css';

/** Checks that every event of the log is there, in its place, and as it was written. */
export function ChainCheck() {
  const check = useMutation({ mutationFn: () => holdfast.auditEvents.verify() });
  return (
    <Part title="The log" level={2}>
      <div className={styles.check}>
        <Button isPending={check.isPending} onPress={() => check.mutate()}>
          Check the chain
        </Button>
        <div role="status">{check.data && <Found verification={check.data} />}</div>
        <Problem error={check.error} />
        <p className={styles.quiet}>
          Each event has a hash over itself and the hash before it. A copy of the newest hash elsewhere shows
          later that no event was replaced: <code>npx holdfast audit verify --expect</code>
        </p>
      </div>
    </Part>
  );
}

const faultTexts: Record<VerifyAuditEventsResponse['faults'][number]['fault'], string> = {
  changed: 'was changed',
  missing: 'does not follow the event before it: something between them is gone',
  reordered: 'does not follow the event before it: one of them was moved or changed',
  cut_off: 'is gone, and with it all that came after it',
  waiting_changed: 'was changed while it waited for its place',
  waiting_missing: 'waited for its place, and something that waited before it is gone',
  waiting_cut_off: 'is the end of a lane that waits for its place, and is gone',
};

function Found({
  verification: { isWhole, events, head, faults },
}: {
  verification: VerifyAuditEventsResponse;
}) {
  if (head === null && isWhole) return <span>There is no event yet.</span>;
  if (isWhole)
    return (
      <>
        <Status
          status="succeeded"
          text={`All ${formatCount(events)} events are there, as they were written`}
        />
        {head !== null && <Copy text={head}>Copy the newest hash</Copy>}
      </>
    );
  return (
    <>
      <Status status="failed" text="The chain is broken" />
      <ul className={styles.faults}>
        {faults.map(({ seq, fault }) => (
          <li key={`${seq} ${fault}`}>
            Event {formatCount(seq)} {faultTexts[fault]}.
          </li>
        ))}
      </ul>
    </>
  );
}
