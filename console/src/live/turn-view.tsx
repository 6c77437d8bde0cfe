import type { ReactNode } from 'react';
import { formatDuration } from '../ui/format.ts';
import { JsonView } from '../ui/json-view.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { parseJson } from '../ui/parse-json.ts';
import { Status } from '../ui/status.tsx';
import type { CallLog, StepLog, Trouble, TurnLog } from './conversation-log.ts';
import { Decision } from './decision.tsx';
import styles from './turn-view.module.css';

interface TurnViewProps {
  turn: TurnLog;
  /** The whole message of the user; the log has its beginning only. */
  message?: ReactNode;
  /** What can be done with the turn. */
  actions?: ReactNode;
}

/** A turn as people read it: the message, what the agent said and did, what it waits for, and how it ended. */
export function TurnView({ turn, message = turn.message, actions }: TurnViewProps) {
  return (
    <article className={styles.turn} aria-label={`Turn: ${turn.message}`}>
      <div className={styles.message}>{message}</div>
      {turn.status === 'queued' && <p className={styles.note}>Waits for the turn before it.</p>}
      {turn.steps.map((step) => (
        <Step key={step.iteration} step={step} steered={turn.steered} />
      ))}
      {turn.status === 'running' && !isStreaming(turn) && <Status status="running" text="working" />}
      <Ending turn={turn} />
      {actions}
    </article>
  );
}

const isStreaming = ({ steps }: TurnLog) => steps.at(-1)?.isStreaming === true;

function Step({ step, steered }: { step: StepLog; steered: TurnLog['steered'] }) {
  const taken = steered.filter(({ iteration }) => iteration === step.iteration);
  return (
    <div
      role="group"
      className={styles.step}
      aria-label={`Step ${step.iteration}`}
      aria-busy={step.isStreaming}
    >
      {taken.map(({ messageId, message }) => (
        <div key={messageId} className={styles.steered}>
          {message}
        </div>
      ))}
      {step.troubles.map((trouble) => (
        <p key={trouble.seq} className={styles.note}>
          {toTroubleText(trouble)}
        </p>
      ))}
      {step.answer?.reasoning !== undefined && (
        <details className={styles.reasoning}>
          <summary>Reasoning</summary>
          <Markdown text={step.answer.reasoning} />
        </details>
      )}
      {step.text !== '' && <Markdown text={step.text} />}
      {step.calls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </div>
  );
}

/** Says what happened to a model call before its answer. */
export function toTroubleText(trouble: Trouble): string {
  switch (trouble.type) {
    case 'model.passed':
      return `${trouble.payload.model} did not answer (${trouble.payload.error.message}). ${trouble.payload.next} was asked.`;
    case 'model.cut_short':
      return `A message ended the call of ${trouble.payload.model}, which was asked again.`;
    case 'answer.rejected':
      return `The answer did not have the form that was asked for: ${trouble.payload.errors.map(({ field, message }) => `${field} ${message}`).join('; ')}.`;
    case 'context.compacted':
      return `The context became too long and was shortened, from about ${trouble.payload.tokensBefore} to ${trouble.payload.tokensAfter} tokens.`;
  }
}

/** A tool call: one line, which opens to what it was given and what it returned. */
function Call({ call }: { call: CallLog }) {
  const waits = call.action?.status === 'pending';
  return (
    <div className={styles.call} data-status={call.status}>
      <details>
        <summary className={styles.line}>
          <span className={styles.name}>{call.name}</span>
          <Status status={waits ? 'waiting' : call.status} />
          {call.attempt > 1 && <span className={styles.quiet}>attempt {call.attempt}</span>}
          {call.durationMs !== null && (
            <span className={styles.quiet}>{formatDuration(call.durationMs)}</span>
          )}
          {call.error !== null && <span className={styles.error}>{call.error.message}</span>}
        </summary>
        <div className={styles.details}>
          <h3 className={styles.quiet}>Arguments</h3>
          <JsonView value={call.arguments} />
          {call.preview !== null && <Result text={call.preview} />}
        </div>
      </details>
      {call.action && <Decision action={call.action} />}
    </div>
  );
}

function Result({ text }: { text: string }) {
  return (
    <>
      <h3 className={styles.quiet}>Result</h3>
      <ResultText text={text} />
    </>
  );
}

/** The result of a tool: as a tree when it is JSON, and else as it is. */
export function ResultText({ text }: { text: string }) {
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  if (value !== undefined) return <JsonView value={value} />;
  return <pre className={styles.result}>{text}</pre>;
}

function Ending({ turn }: { turn: TurnLog }) {
  const { status, error, answer, steps } = turn;
  if (turn.settledAt === null || status === 'completed') return null;
  const isSaid = answer === null || steps.some(({ text }) => text === answer);
  return (
    <div className={styles.ending}>
      <Status status={status} />
      {error !== null && <p className={styles.error}>{error.message}</p>}
      {!isSaid && <p>{answer}</p>}
      {status === 'steered' && <p className={styles.quiet}>The turn that ran took this message.</p>}
    </div>
  );
}
