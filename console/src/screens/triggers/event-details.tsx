import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import type { TriggerDelivery, TriggerDeliveryDetails } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatCount, formatDateTime } from '../../ui/format.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Part } from '../../ui/split.tsx';
import { Status } from '../../ui/status.tsx';
import { toTone } from '../../ui/tone.ts';
import { eventQuery } from './queries.ts';
import styles from './triggers.module.css';

interface EventDetailsProps {
  triggerId: string;
  eventId: string;
  canChange: boolean;
}

/** One event: what it has started or why it has started nothing, its payload, and a retry. */
export function EventDetails({ triggerId, eventId, canChange }: EventDetailsProps) {
  const { data: event, error } = useQuery(eventQuery(triggerId, eventId));
  if (!event) return <Problem error={error} />;
  const { status, event: type, deliveryId, reason, duplicates, receivedAt, endedAt, payload } = event;
  const canRetry = canChange && payload !== null && (status === 'failed' || status === 'ignored');
  return (
    <>
      <Part title={type ?? 'An event of an unknown type'} level={2}>
        <Facts
          facts={[
            ['State', <EventStatus key="state" status={status} />],
            ['Why', event.error?.message ?? reason],
            ['Started', <Started key="started" event={event} />],
            ['Id', deliveryId],
            ['Came', formatDateTime(receivedAt)],
            [
              'Came again',
              duplicates === 0 ? null : `${formatCount(duplicates)} times, which started nothing`,
            ],
            ['Ended', endedAt === null ? null : formatDateTime(endedAt)],
          ]}
        />
        {canRetry && <Retry triggerId={triggerId} eventId={eventId} />}
      </Part>
      <Part title="Payload">
        {payload === null ? (
          <p className={styles.quiet}>It is kept for three days, and of signed events alone.</p>
        ) : (
          <JsonView value={payload} open={3} />
        )}
      </Part>
    </>
  );
}

/** The state of an event: what the filter has left out is no failure. */
export function EventStatus({ status }: { status: TriggerDelivery['status'] }) {
  return <Status status={status} tone={status === 'started' ? 'good' : toTone(status)} />;
}

function Started({ event: { turnId, routineRunId } }: { event: TriggerDeliveryDetails }) {
  if (routineRunId !== null)
    return (
      <Link to="/routine-runs/$runId" params={{ runId: routineRunId }}>
        a run of the routine
      </Link>
    );
  if (turnId === null) return 'nothing';
  return (
    <Link to="/runs/$turnId" params={{ turnId }}>
      a turn
    </Link>
  );
}

function Retry({ triggerId, eventId }: Omit<EventDetailsProps, 'canChange'>) {
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: () => holdfast.triggers.deliveries.retry(triggerId, eventId),
    onSettled: () => queries.invalidateQueries({ queryKey: ['triggers'] }),
  });
  return (
    <>
      <Problem error={retry.error} />
      <div>
        <Button isPending={retry.isPending} onPress={() => retry.mutate()}>
          Start it again
        </Button>
      </div>
    </>
  );
}
