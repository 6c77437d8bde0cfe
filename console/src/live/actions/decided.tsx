import { Difference } from '../../ui/difference.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './actions.module.css';
import type { DecidedAction } from './asked-action.ts';
import { toDeciderName } from './decider-name.ts';

/** Who has decided an action, why, and with which changes. */
export function Decided({ action }: { action: DecidedAction }) {
  const { arguments: proposed, approvedArguments } = action;
  return (
    <div className={styles.decided}>
      <p>{toText(action)}</p>
      {approvedArguments !== null && (
        <>
          <p>With other arguments:</p>
          <Difference label="Changed arguments" before={proposed} after={approvedArguments} />
        </>
      )}
    </div>
  );
}

const subjects = { approval: 'The call was', question: 'The question was', client_tool: 'The call was' };

function toText({ kind, status, decidedBy, reason }: DecidedAction): string {
  if (status === 'expired') return 'It expired before it was decided.';
  if (status === 'cancelled') return 'The turn ended before it was decided.';
  const by = decidedBy ? ` by ${toDeciderName(decidedBy)}` : '';
  return `${subjects[kind]} ${toWords(status)}${by}${reason === null ? '' : `: ${reason}`}`;
}
