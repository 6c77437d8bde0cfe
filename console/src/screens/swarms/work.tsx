import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Subtask } from '../../api/types.ts';
import { useAgentNames } from '../../live/names.ts';
import { Facts } from '../../ui/facts.tsx';
import { formatCount, formatCredits } from '../../ui/format.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { Part, Split } from '../../ui/split.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { AddSubtask } from './change-subtask.tsx';
import type { Swarm } from './queries.ts';
import { SubtaskDetails, useAssignee } from './subtask-details.tsx';
import { useMayChange } from './swarm-actions.tsx';
import { toWaves } from './waves.ts';
import styles from './work.module.css';

interface WorkProps {
  swarm: Swarm;
  /** The id of the chosen subtask. */
  chosen: string | undefined;
}

/** The subtasks of a swarm in waves, each after those it depends on, and beside them the chosen one. */
export function Work({ swarm, chosen }: WorkProps) {
  const { subTasks } = swarm.state;
  const waves = useMemo(() => toWaves(subTasks), [subTasks]);
  const subtask = subTasks.find(({ id }) => id === chosen);
  return (
    <Split
      label="Subtasks"
      details={
        <>
          <Pending swarm={swarm} />
          {subtask ? <SubtaskDetails subtask={subtask} swarm={swarm} /> : <About swarm={swarm} />}
        </>
      }
    >
      {subTasks.length === 0 && <p className={styles.quiet}>{toNothing(swarm)}</p>}
      <ol>
        {waves.map((wave) => (
          <li key={wave.map(({ id }) => id).join()} className={styles.wave} data-state={toState(wave)}>
            <ul className={styles.beside}>
              {wave.map((one) => (
                <li key={one.id}>
                  <Row subtask={one} swarm={swarm} chosen={subtask} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {useMayChange(swarm) && <AddSubtask swarm={swarm} />}
    </Split>
  );
}

function toNothing({ leader, settledAt }: Swarm): string {
  if (settledAt !== null) return 'It had no subtasks.';
  return leader === null ? 'It has no subtasks yet.' : 'The leader has not planned yet.';
}

/** Whether a wave has ended, runs, or has not begun. */
function toState(wave: readonly Subtask[]): 'over' | 'open' | 'ahead' {
  if (wave.every(({ ended_at: endedAt }) => endedAt !== null)) return 'over';
  return wave.some(({ started_at: startedAt }) => startedAt !== null) ? 'open' : 'ahead';
}

interface RowProps {
  subtask: Subtask;
  swarm: Swarm;
  chosen: Subtask | undefined;
}

function Row({ subtask, swarm, chosen }: RowProps) {
  const { id, description, depends_on: needed, status, attempts } = subtask;
  const assignee = useAssignee(swarm, subtask.assignee);
  const isBefore = chosen?.depends_on.includes(id) ?? false;
  const isAfter = chosen !== undefined && needed.includes(chosen.id);
  return (
    <Link
      to="."
      search={(before: object) => ({ ...before, subtask: id })}
      replace
      resetScroll={false}
      className={styles.subtask}
      aria-current={chosen?.id === id ? 'step' : undefined}
      data-related={isBefore || isAfter}
    >
      <span className={styles.head}>
        <span className={styles.id}>{id}</span>
        <Status status={status} />
      </span>
      <span className={styles.text}>{description}</span>
      <span className={styles.quiet}>
        {[
          assignee,
          ...(needed.length > 0 ? [`after ${needed.join(', ')}`] : []),
          ...(subtask.priority === 'medium' ? [] : [`${subtask.priority} priority`]),
          ...(attempts > 1 ? [`attempt ${attempts}`] : []),
        ].join(' · ')}
      </span>
    </Link>
  );
}

/** What waits for a person in the turns of the swarm. */
function Pending({ swarm: { pendingActions } }: { swarm: Swarm }) {
  if (pendingActions.length === 0) return null;
  return (
    <section className={styles.pending} aria-label="Waits for a person">
      {pendingActions.map(({ id, kind, tool, subtaskId, turnId, expiresAt }) => (
        <p key={id}>
          <Link to="/runs/$turnId" params={{ turnId }}>
            {subtaskId ?? 'The leader'} waits for {kind === 'approval' ? 'an approval' : 'an answer'}
          </Link>{' '}
          of {tool}. It expires <Time at={expiresAt} />.
        </p>
      ))}
    </section>
  );
}

/** The result of the swarm, its members, and what it has used of its limits. */
function About({ swarm }: { swarm: Swarm }) {
  const { result, reason, limits, state, conversationId } = swarm;
  const names = useAgentNames();
  return (
    <>
      {reason !== null && <p>{reason}</p>}
      {result !== null && (
        <Part title="Result" level={2}>
          <Markdown text={result} />
        </Part>
      )}
      <Part title="Used of its limits" level={2}>
        <Facts
          facts={[
            ['Turns', `${formatCount(swarm.turnsUsed)} of ${formatCount(limits.turns)}`],
            ['Tokens', toShare(formatCount(swarm.tokensUsed), limits.tokens && formatCount(limits.tokens))],
            [
              'Cost',
              toShare(formatCredits(swarm.creditsUsed), limits.credits && formatCredits(limits.credits)),
            ],
            ['At one time', `${formatCount(limits.concurrency)} subtasks`],
            ['Retries', limits.retries],
            ['Ends', swarm.settledAt === null ? <Time key="ends" at={swarm.deadlineAt} /> : null],
          ]}
        />
      </Part>
      <Part title="Members" level={2}>
        {(state.teamConfig.members ?? []).length === 0 && <p className={styles.quiet}>The leader alone.</p>}
        <ul>
          {state.teamConfig.members?.map(({ agentId, name, role }) => (
            <li key={`${agentId} ${name ?? ''}`}>
              {name ?? names?.get(agentId) ?? agentId}
              {role !== undefined && <span className={styles.quiet}> {role}</span>}
            </li>
          ))}
        </ul>
      </Part>
      {conversationId !== null && (
        <Link to="/playground" search={{ conversation: conversationId }}>
          The conversation of the leader
        </Link>
      )}
    </>
  );
}

const toShare = (used: string, limit: string | 0 | null) =>
  limit === null ? `${used}, no limit` : `${used} of ${limit}`;
