import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Link } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import type { GetTurnResponse, TurnModelCall } from '../../api/types.ts';
import type { TurnLog } from '../../live/conversation-log.ts';
import { createScale, toSpans, type ModelTimes, type Scale, type Span } from '../../live/spans.ts';
import { formatDuration } from '../../ui/format.ts';
import { toPosition } from '../../live/strip.tsx';
import { useNow } from '../../ui/time.tsx';
import { toTone, toWords } from '../../ui/tone.ts';
import { modelCallsQuery } from './queries.ts';
import { StepDetails } from './step-details.tsx';
import styles from './timeline.module.css';

interface TimelineProps {
  turn: TurnLog;
  details: GetTurnResponse | undefined;
  /** The id of the chosen span. */
  chosen: string | undefined;
}

const rowHeight = 28;

/** What a turn did as a waterfall, and the details of what is chosen beside it. */
export function Timeline({ turn, details, chosen }: TimelineProps) {
  const now = useNow(1_000);
  const { data: modelCalls = noCalls } = useQuery(modelCallsQuery(turn.id));
  const times = useMemo(
    () => new Map(modelCalls.map((call) => [call.iteration, toTimes(call)])),
    [modelCalls],
  );
  const spans = useMemo(() => toSpans(turn, now, times), [turn, now, times]);
  const scale = useMemo(() => createScale(spans), [spans]);
  const span = spans.find(({ id }) => id === chosen) ?? spans[0];
  return (
    <div className={styles.timeline}>
      <Waterfall spans={spans} scale={scale} chosen={span?.id} />
      {span && (
        <aside className={styles.details} aria-label="Details">
          <StepDetails span={span} turn={turn} details={details} modelCalls={modelCalls} />
        </aside>
      )}
    </div>
  );
}

const noCalls: readonly TurnModelCall[] = [];

function toTimes({ startedAt, durationMs }: TurnModelCall): ModelTimes {
  const isOver = startedAt !== null && durationMs !== null;
  return { startedAt, endedAt: isOver ? new Date(Date.parse(startedAt) + durationMs).toISOString() : null };
}

interface WaterfallProps {
  spans: readonly Span[];
  scale: Scale;
  chosen: string | undefined;
}

function Waterfall({ spans, scale, chosen }: WaterfallProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: spans.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 20,
  });
  return (
    <div
      className={styles.waterfall}
      ref={scroller}
      tabIndex={0}
      aria-label="Steps in their order"
      role="region"
    >
      <div className={styles.gaps} aria-hidden="true">
        {scale.breaks.map(({ at, ms }) => (
          <span key={at} className={styles.gap} style={{ left: `${at * 100}%` }}>
            {formatDuration(ms)}
          </span>
        ))}
      </div>
      <ol className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const span = spans[index];
          return (
            span && (
              <li key={span.id} className={styles.place} style={{ transform: `translateY(${start}px)` }}>
                <Row span={span} scale={scale} isChosen={span.id === chosen} />
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
}

function Row({ span, scale, isChosen }: { span: Span; scale: Scale; isChosen: boolean }) {
  const duration = formatDuration(span.end - span.start);
  return (
    <Link
      to="."
      search={(before: object) => ({ ...before, step: span.id })}
      replace
      resetScroll={false}
      className={styles.row}
      data-kind={span.kind}
      aria-current={isChosen ? 'step' : undefined}
    >
      <span className={styles.title}>
        <span className="visually-hidden">{kinds[span.kind]} </span>
        {span.title}
        <span className="visually-hidden"> {toWords(span.status)}</span>
      </span>
      <span className={styles.track}>
        <i
          className={styles.bar}
          data-kind={span.kind}
          data-tone={toTone(span.status)}
          data-open={span.isOpen}
          style={toPosition(span, scale.toPlace)}
        />
      </span>
      <span className={styles.duration}>{duration}</span>
    </Link>
  );
}

const kinds = { model: 'Model', tool: 'Tool', wait: 'Waiting for a person:', queue: '' };
