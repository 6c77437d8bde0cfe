import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PendingAction } from '../../api/types.ts';
import { useAgentNames } from '../../live/names.ts';
import { Facts } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './approvals.module.css';
import { readableTurnQuery } from './queries.ts';

/** Where an action comes from, what the call carries, and who may decide about it. */
export function ActionFacts({ action }: { action: PendingAction }) {
  const names = useAgentNames();
  const { data: turn } = useQuery(readableTurnQuery(action.conversationId));
  const { tool, target, server, connections, askedBy, approvers, selfApproval, remindedAt } = action;
  const { status, askedBecause } = action;
  return (
    <section className={styles.section}>
      <h3 className={styles.name}>About the call</h3>
      <Facts
        facts={[
          ['Called through', target === null ? null : <code key="tool">{tool}</code>],
          ['Because', status === 'pending' ? null : askedBecause.join(' and ')],
          ['Server that asks', server],
          ['Credentials of', connections.join(', ')],
          ['Agent', turn && names?.get(turn.agentId)],
          ['Asked by', askedBy.map(toName).join(', ')],
          ['Approvers', approvers.map((groups) => groups.join(' or ')).join(', and ')],
          ['Own calls', selfApproval ? null : 'Who took part in the turn may not decide.'],
          ['Reminded', remindedAt && <Time key="reminded" at={remindedAt} />],
          [
            'Run',
            <Run key="run" action={action} isReadable={turn === undefined ? undefined : turn !== null} />,
          ],
        ]}
      />
    </section>
  );
}

const toName = ({ actingFor }: PendingAction['askedBy'][number]) => actingFor ?? 'an API key';

interface RunProps {
  action: PendingAction;
  /** Whether the person may read the conversation; undefined until that is known. */
  isReadable: boolean | undefined;
}

function Run({ action: { turnId, rootTurnId }, isReadable }: RunProps) {
  if (isReadable === undefined) return null;
  if (!isReadable) return 'You decide about the call. Its conversation belongs to another person.';
  return (
    <span className={styles.links}>
      <Link to="/runs/$turnId" params={{ turnId }} search={{ view: 'conversation' }}>
        Open the run
      </Link>
      {rootTurnId !== turnId && (
        <Link to="/runs/$turnId" params={{ turnId: rootTurnId }} search={{ view: 'conversation' }}>
          Open the run above it
        </Link>
      )}
    </span>
  );
}
