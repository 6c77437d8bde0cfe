import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useKeyNames } from '../../live/names.ts';
import { Copy } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Part } from '../../ui/split.tsx';
import styles from './audit.module.css';
import { Only } from './only.tsx';
import { auditEventQuery, type AuditEvent } from './queries.ts';
import { toAction, toBy, toPlace } from './words.ts';

/** One event in full: what was done, by whom, to what, with all that was recorded. */
export function EventDetails({ seq }: { seq: number }) {
  const { data: event, error } = useQuery(auditEventQuery(seq));
  return (
    <>
      <Problem error={error} />
      {event === null && <p className={styles.quiet}>There is no event with the number {seq}.</p>}
      {event && <Details event={event} />}
      <div>
        <Link to="." search={(before: object) => ({ ...before, event: undefined })}>
          Close
        </Link>
      </div>
    </>
  );
}

function Details({ event }: { event: AuditEvent }) {
  const { seq, type, subjectId, createdAt, payload, hash } = event;
  const place = toPlace(event);
  const keys = useKeyNames();
  const by = toBy(event);
  return (
    <>
      <Part title={toAction(type)} level={2}>
        <Facts
          facts={[
            ['Number', seq],
            ['Type', <Only key="type" filter={{ type }} text={type} />],
            ['When', formatDateTime(createdAt)],
            ['Person', by?.person && <Only key="person" filter={{ person: by.person }} text={by.person} />],
            [
              'API key',
              by?.apiKeyId && (
                <Only
                  key="key"
                  filter={{ apiKeyId: by.apiKeyId }}
                  text={keys?.get(by.apiKeyId) ?? by.apiKeyId}
                />
              ),
            ],
            ['About', subjectId && <Only key="about" filter={{ subjectId }} text={subjectId} />],
            ['Page', place && <Link to={place}>Open it</Link>],
          ]}
        />
      </Part>
      <Part title="What was recorded">
        <JsonView value={payload} />
      </Part>
      <Part title="Hash" actions={<Copy text={hash} />}>
        <code className={styles.hash}>{hash}</code>
        <p className={styles.quiet}>
          SHA-256 of this event and the hash of the one before it. Kept elsewhere, it proves later that
          nothing up to this event was replaced: <code>npx holdfast audit verify --expect HASH</code>
        </p>
      </Part>
    </>
  );
}
