import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import type { JsonObject, WebhookAttempt, WebhookDeliveryDetails } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatDateTime, formatDuration } from '../../ui/format.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Part } from '../../ui/split.tsx';
import { Status } from '../../ui/status.tsx';
import { deliveryQuery } from './queries.ts';
import styles from './webhooks.module.css';

interface DeliveryDetailsProps {
  webhookId: string;
  deliveryId: string;
  canResend: boolean;
}

/** One delivery: its attempts with what was answered, its data, and a button that sends it again. */
export function DeliveryDetails({ webhookId, deliveryId, canResend }: DeliveryDetailsProps) {
  const { data: delivery, error } = useQuery(deliveryQuery(webhookId, deliveryId));
  if (!delivery) return <Problem error={error} />;
  const { type, status, createdAt, nextAttemptAt, endedAt, attempts, data } = delivery;
  return (
    <>
      <Part title={type} level={2}>
        <Facts
          facts={[
            ['State', <Status key="state" status={status} />],
            ['Happened', formatDateTime(createdAt)],
            ['Next attempt', nextAttemptAt === null ? null : formatDateTime(nextAttemptAt)],
            ['Ended', endedAt === null ? null : formatDateTime(endedAt)],
            ['webhook-id', <code key="id">{delivery.id}</code>],
          ]}
        />
        {canResend && status !== 'pending' && <Resend delivery={delivery} />}
      </Part>
      <Attempts attempts={attempts} />
      <Part title="Data">
        <JsonView value={data} />
        <TurnOf data={data} />
      </Part>
    </>
  );
}

function TurnOf({ data: { turnId } }: { data: JsonObject }) {
  if (typeof turnId !== 'string') return null;
  return (
    <Link to="/runs/$turnId" params={{ turnId }}>
      Open the turn
    </Link>
  );
}

function Resend({ delivery: { id, webhookId } }: { delivery: WebhookDeliveryDetails }) {
  const queries = useQueryClient();
  const resend = useMutation({
    mutationFn: () => holdfast.webhooks.deliveries.resend(webhookId, id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  return (
    <>
      <Problem error={resend.error} />
      <div>
        <Button isPending={resend.isPending} onPress={() => resend.mutate()}>
          Send it again
        </Button>
      </div>
    </>
  );
}

function Attempts({ attempts }: { attempts: readonly WebhookAttempt[] }) {
  return (
    <Part title="Attempts">
      {attempts.length === 0 && <p className={styles.quiet}>None yet.</p>}
      <ol className={styles.attempts}>
        {attempts.map(({ at, durationMs, status, answer, error }) => (
          <li key={at}>
            <p className={styles.attempt}>
              <Status
                status={status === null ? 'failed' : String(status)}
                tone={status !== null && status >= 200 && status < 300 ? 'good' : 'bad'}
              />
              <span className={styles.quiet}>
                {formatDateTime(at)}, {formatDuration(durationMs)}
              </span>
            </p>
            {error !== null && <p className={styles.error}>{error}</p>}
            {answer !== null && answer !== '' && <pre className={styles.answer}>{answer}</pre>}
          </li>
        ))}
      </ol>
    </Part>
  );
}
