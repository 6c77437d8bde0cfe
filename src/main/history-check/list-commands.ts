import type { History } from '@temporalio/common/lib/proto-utils.js';
import type { RawCommand } from '../../../workflows/command-recorder.ts';
import { type Attributes, type Command, toCommand } from './command.ts';
import { type PayloadBytes, toValue } from './payload-value.ts';

type Entry = [kind: Command['kind'], more?: Attributes];

/** The events that commands have left, by the field that holds their attributes. */
const events: Record<string, Entry> = {
  activityTaskScheduledEventAttributes: ['activity'],
  timerStartedEventAttributes: ['timer'],
  startChildWorkflowExecutionInitiatedEventAttributes: ['child workflow'],
  signalExternalWorkflowExecutionInitiatedEventAttributes: ['signal'],
  upsertWorkflowSearchAttributesEventAttributes: ['search attributes'],
  workflowExecutionCompletedEventAttributes: ['end', { how: 'completed' }],
  workflowExecutionFailedEventAttributes: ['end', { how: 'failed' }],
  workflowExecutionCanceledEventAttributes: ['end', { how: 'cancelled' }],
  workflowExecutionContinuedAsNewEventAttributes: ['end', { how: 'continued as new' }],
};

/** The commands of the SDK, by the field that holds them. */
const commands: Record<string, Entry> = {
  scheduleActivity: ['activity'],
  scheduleLocalActivity: ['local activity'],
  startTimer: ['timer'],
  startChildWorkflowExecution: ['child workflow'],
  signalExternalWorkflowExecution: ['signal'],
  upsertWorkflowSearchAttributes: ['search attributes'],
  completeWorkflowExecution: ['end', { how: 'completed' }],
  failWorkflowExecution: ['end', { how: 'failed' }],
  cancelWorkflowExecution: ['end', { how: 'cancelled' }],
  continueAsNewWorkflowExecution: ['end', { how: 'continued as new' }],
};

/** The search attribute that the SDK itself sets, for each patch. */
const patchAttribute = 'TemporalChangeVersion';

/** Lists the commands that a history has recorded. */
export function listRecorded({ events: all }: History): Command[] {
  return (all ?? []).flatMap((event) => {
    const eventId = String(event.eventId);
    const marker = event.markerRecordedEventAttributes;
    if (marker?.markerName === 'core_local_activity') {
      const [data] = marker.details?.['data']?.payloads ?? [];
      return [{ ...toLocalActivity(data as PayloadBytes), eventId }];
    }
    return pick(event as unknown as Attributes, events)
      .filter(({ fields }) => !isOfPatches(fields))
      .map((command) => ({ ...command, eventId }));
  });
}

/** The data of a marker, as the SDK's core writes them. */
function toLocalActivity(data: PayloadBytes): Command {
  const { seq, activity_type: activityType } = toValue(data) as { seq: number; activity_type: string };
  return toCommand('local activity', { seq, activityType });
}

function isOfPatches({ values }: Command['fields']): boolean {
  return typeof values === 'object' && values !== null && patchAttribute in values;
}

/**
 * Lists the commands that code issued. `recorded` decides about those that it withdrew: Temporal never gets a timer that is
 * cancelled in the task that starts it.
 */
export function listAsked(raw: RawCommand[], recorded: Command[]): Command[] {
  const takenBack = new Set(
    raw.flatMap(({ cancelTimer, requestCancelActivity }) => [
      ...toKeys('timer', cancelTimer),
      ...toKeys('activity', requestCancelActivity),
    ]),
  );
  const known = new Set(recorded.map(({ kind, id }) => `${kind} ${id}`));
  return raw
    .flatMap((command) => pick(command, commands))
    .filter(({ kind, id }) => known.has(`${kind} ${id}`) || !takenBack.has(`${kind} ${id}`));
}

function toKeys(kind: Command['kind'], command: unknown): string[] {
  return command ? [`${kind} ${String((command as { seq: number }).seq)}`] : [];
}

function pick(from: Attributes, entries: Record<string, Entry>): Command[] {
  return Object.entries(entries).flatMap(([field, [kind, more]]) => {
    const attributes = from[field] as Attributes | null | undefined;
    return attributes ? [toCommand(kind, { ...attributes, ...more })] : [];
  });
}
