import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { ToolCall } from '../../api/types.ts';
import type { CallLog, StepLog, TurnLog } from '../../live/conversation-log.ts';
import { useTurn } from '../../live/use-followed.ts';
import { formatCompact, formatCredits, formatDuration } from '../../ui/format.ts';
import { Status } from '../../ui/status.tsx';
import { turnQuery } from './queries.ts';
import styles from './tree.module.css';

interface TreeProps {
  turn: TurnLog;
  /** The tool calls as they are stored: they name the turns of agents that were called. */
  calls: readonly ToolCall[];
}

/** What a turn did as a tree: iterations, the tools that each asked for, and the turns of agents that were called. */
export function Tree({ turn, calls }: TreeProps) {
  return (
    <ol className={styles.branch}>
      {turn.steps.map((step) => (
        <li key={step.iteration}>
          <Model step={step} turnId={turn.id} />
          {step.calls.length > 0 && (
            <ol className={styles.branch}>
              {step.calls.map((call) => (
                <li key={call.id}>
                  <Tool call={call} turnId={turn.id} />
                  <Child turnId={calls.find(({ id }) => id === call.id)?.childTurnId ?? null} />
                </li>
              ))}
            </ol>
          )}
        </li>
      ))}
    </ol>
  );
}

function Model({ step, turnId }: { step: StepLog; turnId: string }) {
  const { answer, iteration } = step;
  return (
    <Line turnId={turnId} step={`model-${iteration}`} title={answer?.model ?? 'Model'}>
      <Status status={answer ? 'completed' : 'running'} text={`iteration ${iteration}`} />
      {answer && <span>{formatCompact(answer.usage.inputTokens + answer.usage.outputTokens)} tokens</span>}
      {typeof answer?.credits === 'string' && <span>{formatCredits(answer.credits)}</span>}
      {step.text !== '' && <span className={styles.text}>{step.text}</span>}
    </Line>
  );
}

function Tool({ call, turnId }: { call: CallLog; turnId: string }) {
  return (
    <Line turnId={turnId} step={call.id} title={call.name}>
      <Status status={call.action?.status === 'pending' ? 'waiting' : call.status} />
      {call.durationMs !== null && <span>{formatDuration(call.durationMs)}</span>}
      <span className={styles.text}>{call.error?.message ?? call.preview}</span>
    </Line>
  );
}

interface LineProps {
  turnId: string;
  step: string;
  title: string;
  children: ReactNode;
}

function Line({ turnId, step, title, children }: LineProps) {
  return (
    <div className={styles.line}>
      <Link
        to="/runs/$turnId"
        params={{ turnId }}
        search={{ view: 'timeline', step }}
        className={styles.title}
      >
        {title}
      </Link>
      {children}
    </div>
  );
}

/** The turn of an agent that was called, which is read when it is opened. */
function Child({ turnId }: { turnId: string | null }) {
  const [isOpen, setOpen] = useState(false);
  if (turnId === null) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>The run of the agent that was called</summary>
      {isOpen && <ChildTree turnId={turnId} />}
    </details>
  );
}

function ChildTree({ turnId }: { turnId: string }) {
  const { turn } = useTurn(turnId);
  const { data } = useQuery(turnQuery(turnId));
  return turn && <Tree turn={turn} calls={data?.toolCalls ?? []} />;
}
