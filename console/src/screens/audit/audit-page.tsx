import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useSearchOf } from '../../app/address.ts';
import { useKeyNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { List, type Column } from '../../ui/list.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Split } from '../../ui/split.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './audit.module.css';
import { AuditFilters } from './audit-filters.tsx';
import { EventDetails } from './event-details.tsx';
import { ChainCheck } from './chain-check.tsx';
import { auditQuery, type AuditEvent } from './queries.ts';
import { parseAuditSearch, toFilters, type AuditSearch } from './search.ts';
import { Only } from './only.tsx';
import { toAbout, toAction, toBy, toByFilter, toByText } from './words.ts';

/** Everything that was done in the workspace, newest first. */
export function Page() {
  const search = useSearchOf(parseAuditSearch);
  const navigate = useNavigate();
  const events = useInfiniteQuery(auditQuery(search));
  const setSearch = (next: AuditSearch) =>
    void navigate({ to: '/audit', search: { ...next }, replace: true });
  return (
    <Frame title="Audit" fills bar={<AuditFilters search={search} onChange={setSearch} />}>
      <Problem error={events.error} />
      <Split
        label="Events"
        fills
        details={search.event === undefined ? <ChainCheck /> : <EventDetails seq={search.event} />}
      >
        <List
          label="Events"
          items={events.data?.pages.flatMap(({ items }) => items) ?? []}
          toKey={({ id }) => id}
          columns={useColumns()}
          loadMore={events.hasNextPage ? () => void events.fetchNextPage() : undefined}
          isLoading={events.isFetching}
          empty={<NoEvents search={search} onClear={() => setSearch({})} />}
        />
      </Split>
    </Frame>
  );
}

function NoEvents({ search, onClear }: { search: AuditSearch; onClear: () => void }) {
  const isFiltered = Object.keys(toFilters(search)).length > 0;
  if (!isFiltered)
    return (
      <Empty title="Nothing was done yet" text="Each change and each call of a tool is recorded here." />
    );
  return (
    <Empty
      title="No event fits these filters"
      action={<Button onPress={onClear}>Clear the filters</Button>}
    />
  );
}

interface ByNameProps {
  event: AuditEvent;
  keys: ReadonlyMap<string, string> | undefined;
}

/** Names the actor of an event, and links to all events of this person or key. */
function ByName({ event, keys }: ByNameProps) {
  const by = toBy(event);
  if (!by) return null;
  const filter = toByFilter(by);
  const text = toByText(by, keys);
  return filter === null ? text : <Only filter={filter} text={text} />;
}

function useColumns(): Column<AuditEvent>[] {
  const keys = useKeyNames();
  return [
    { name: 'Number', width: '62px', isNumber: true, isWide: true, cell: ({ seq }) => seq },
    {
      name: 'What',
      width: 'minmax(0, 3fr)',
      cell: ({ seq, type }) => (
        <Link to="." search={(before: object) => ({ ...before, event: seq })} className={styles.name}>
          {toAction(type)}
        </Link>
      ),
    },
    { name: 'About', width: 'minmax(0, 3fr)', cell: toAbout },
    {
      name: 'By',
      width: 'minmax(0, 2fr)',
      isWide: true,
      cell: (event) => <ByName event={event} keys={keys} />,
    },
    { name: 'When', width: '96px', isNumber: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}
