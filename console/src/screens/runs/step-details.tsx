import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ToolCall, GetTurnResponse, TurnModelCall } from '../../api/types.ts';
import type { CallLog, StepLog, TurnLog } from '../../live/conversation-log.ts';
import { Decision } from '../../live/decision.tsx';
import type { Span } from '../../live/spans.ts';
import { ResultText, toTroubleText } from '../../live/turn-view.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatCount, formatCredits, formatDateTime, formatDuration } from '../../ui/format.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Status } from '../../ui/status.tsx';
import styles from './step-details.module.css';

interface StepDetailsProps {
  span: Span;
  turn: TurnLog;
  details: GetTurnResponse | undefined;
  modelCalls: readonly TurnModelCall[];
}

/** Everything that is known about one step of a turn. */
export function StepDetails({ span, turn, details, modelCalls }: StepDetailsProps) {
  const step = turn.steps.find(({ iteration }) => iteration === span.iteration);
  const call = step?.calls.find(({ id }) => span.id === id || span.id === `wait-${id}`);
  return (
    <div className={styles.details}>
      <h2 className={styles.title}>{span.title}</h2>
      {call && <CallDetails call={call} stored={details?.toolCalls.find(({ id }) => id === call.id)} />}
      {step && !call && (
        <ModelDetails
          step={step}
          span={span}
          call={modelCalls.find(({ iteration }) => iteration === step.iteration)}
        />
      )}
      {!step && (
        <Facts
          facts={[
            ['Began', formatDateTime(toIso(span.start))],
            ['Took', toDuration(span)],
          ]}
        />
      )}
      <Attempts details={details} iteration={span.iteration} index={call?.index ?? null} />
    </div>
  );
}

const toIso = (time: number) => new Date(time).toISOString();
const toDuration = ({ start, end }: Span) => formatDuration(end - start);

interface ModelDetailsProps {
  step: StepLog;
  span: Span;
  call: TurnModelCall | undefined;
}

function ModelDetails({ step, span, call }: ModelDetailsProps) {
  const { answer } = step;
  const usage = answer?.usage;
  return (
    <>
      <Facts
        facts={[
          ['State', <Status key="state" status={span.status} />],
          ['Iteration', step.iteration],
          ['Began', formatDateTime(toIso(span.start))],
          ['Took', toDuration(span)],
          ['Asked for', call && call.askedModel !== call.model ? call.askedModel : null],
          ['Ended by', call?.finishReason?.replace('_', ' ')],
          ['Left out', call?.leftOutTools.join(', ')],
          ['Tokens in', usage && formatCount(usage.inputTokens)],
          ['from the cache', usage && usage.cacheReadTokens > 0 ? formatCount(usage.cacheReadTokens) : null],
          ['Tokens out', usage && formatCount(usage.outputTokens)],
          ['for reasoning', usage && usage.reasoningTokens > 0 ? formatCount(usage.reasoningTokens) : null],
          ['Cost', typeof answer?.credits === 'string' ? formatCredits(answer.credits) : null],
        ]}
      />
      {step.troubles.length > 0 && (
        <Section title="Before the answer">
          <ul>
            {step.troubles.map((trouble) => (
              <li key={trouble.seq}>{toTroubleText(trouble)}</li>
            ))}
          </ul>
        </Section>
      )}
      {answer?.reasoning !== undefined && (
        <Section title="Reasoning">
          <Markdown text={answer.reasoning} />
        </Section>
      )}
      {step.text !== '' && (
        <Section title="Answer">
          <Markdown text={step.text} />
        </Section>
      )}
      {step.calls.length > 0 && (
        <Section title="Asked for">
          <ul>
            {step.calls.map(({ id, name }) => (
              <li key={id}>
                <Link to="." search={(before: object) => ({ ...before, step: id })} replace>
                  <code>{name}</code>
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

const unknownText =
  'The call may have taken effect: its tool takes no key, and the attempt ended before its result was stored. It was not repeated.';

function CallDetails({ call, stored }: { call: CallLog; stored: ToolCall | undefined }) {
  return (
    <>
      <Facts
        facts={[
          ['State', <Status key="state" status={call.status} />],
          ['Type', stored?.type],
          ['Began', call.startedAt && formatDateTime(call.startedAt)],
          ['Took', call.durationMs === null ? null : formatDuration(call.durationMs)],
          ['Attempts', stored?.attempts],
          ['Answered by', stored?.answeredBy],
          ['Key in the ledger', <code key="key">{call.id}</code>],
        ]}
      />
      {call.status === 'unknown' && <p className={styles.unknown}>{unknownText}</p>}
      {call.action && <Decision action={call.action} />}
      {stored?.childTurnId && (
        <Link to="/runs/$turnId" params={{ turnId: stored.childTurnId }}>
          Open the run of the agent that was called
        </Link>
      )}
      <Section title="Arguments">
        <JsonView value={call.arguments} open={3} />
      </Section>
      {stored?.result != null && (
        <Section title={stored.resultTruncated ? 'Result (its beginning)' : 'Result'}>
          <ResultText text={stored.result} />
        </Section>
      )}
      {call.error && (
        <Section title="Error">
          <p className={styles.error}>{call.error.message}</p>
          <code>{call.error.code}</code>
        </Section>
      )}
    </>
  );
}

interface AttemptsProps {
  details: GetTurnResponse | undefined;
  iteration: number | null;
  /** The index of the tool call; null for the model. */
  index: number | null;
}

/** Attempts that failed, with their reasons. */
function Attempts({ details, iteration, index }: AttemptsProps) {
  const failed =
    details?.failedAttempts.filter((one) => one.iteration === iteration && one.index === index) ?? [];
  if (failed.length === 0) return null;
  return (
    <Section title="Attempts that failed">
      <ol>
        {failed.map(({ attempt, error, failedAt }) => (
          <li key={`${attempt} ${failedAt}`} className={styles.error}>
            {attempt}. {error.message} ({formatDateTime(failedAt)})
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3 className={styles.name}>{title}</h3>
      {children}
    </section>
  );
}
