import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Turn } from '../../api/types.ts';
import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CommittedField } from '../../ui/committed-field.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { NamedChoice } from '../../ui/named-choice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { filteredCountQuery } from './queries.ts';
import styles from './replays.module.css';
import type { NewSearch } from './search.ts';

interface SelectionFieldsProps {
  search: NewSearch;
  turnIds: readonly string[];
  /** The first of the chosen runs, once they are read. */
  chosen: readonly Turn[] | undefined;
}

/** Which runs are replayed: those that were chosen, or those that a filter takes. The address has either. */
export function SelectionFields({ search, turnIds, chosen }: SelectionFieldsProps) {
  const navigate = useNavigate();
  const show = (next: NewSearch) => void navigate({ to: '/replays/new', search: next, replace: true });
  if (turnIds.length === 0) return <TurnFilter search={search} onChange={show} />;
  const agentId = chosen?.[0]?.agentId;
  return (
    <>
      <ChosenTurns turnIds={turnIds} chosen={chosen} />
      <div>
        <Button onPress={() => show(agentId === undefined ? {} : { agentId })}>
          Choose by a filter instead
        </Button>
      </div>
    </>
  );
}

function ChosenTurns({ turnIds, chosen }: Omit<SelectionFieldsProps, 'search'>) {
  const more = turnIds.length - (chosen?.length ?? 0);
  return (
    <>
      <p className={styles.quiet}>
        {turnIds.length === 1 ? 'One chosen run' : `${turnIds.length} chosen runs`}
      </p>
      <ul className={styles.chosen}>
        {chosen?.map(({ id, answer, status, error }) => (
          <li key={id}>
            <Status status={status} />
            <Link to="/runs/$turnId" params={{ turnId: id }}>
              {answer ?? error?.message ?? id}
            </Link>
          </li>
        ))}
      </ul>
      {chosen && more > 0 && <p className={styles.quiet}>and {more} more</p>}
    </>
  );
}

interface TurnFilterProps {
  search: NewSearch;
  onChange: (search: NewSearch) => void;
}

const ages = [
  { value: '', text: 'At any time' },
  { value: '24', text: 'In the last day' },
  { value: '168', text: 'In the last week' },
  { value: '720', text: 'In the last 30 days' },
] as const;

function TurnFilter({ search, onChange }: TurnFilterProps) {
  const names = useAgentNames();
  const set = (change: Record<string, string>) =>
    onChange(
      Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== '')),
    );
  const since = search.from === undefined ? '' : `since ${search.from}`;
  const sinceOption =
    search.from === undefined ? [] : [{ value: since, text: `Since ${formatDateTime(search.from)}` }];
  return (
    <>
      <div className={styles.row}>
        {names && (
          <NamedChoice
            label="Agent"
            value={search.agentId ?? ''}
            names={names}
            none="Any"
            onChange={(agentId) => set({ agentId, agentVersionId: '' })}
          />
        )}
        <Choice
          label="Started"
          value={since}
          options={[...ages, ...sinceOption]}
          onChange={(hours) => set({ from: toFrom(hours) })}
        />
        <CommittedField label="Tag" value={search.tag ?? ''} onCommit={(tag) => set({ tag })} />
        <CommittedField label="Tool" value={search.tool ?? ''} onCommit={(tool) => set({ tool })} />
      </div>
      <Count search={search} />
    </>
  );
}

function toFrom(hours: string): string {
  return hours === '' ? '' : new Date(Date.now() - Number(hours) * 3_600_000).toISOString();
}

function Count({ search }: { search: NewSearch }) {
  const { data, error } = useQuery(filteredCountQuery(search));
  if (error) return <Problem error={error} />;
  return (
    <p className={styles.quiet} role="status">
      {data && toCountText(data)}
    </p>
  );
}

function toCountText({ found, over, isMore }: { found: number; over: number; isMore: boolean }): string {
  if (over === 0) return 'No run fits. A replay takes runs that are over.';
  if (isMore) return `Of the newest ${found} runs that fit, ${over} can be replayed, and older ones too.`;
  return over === 1 ? 'One run can be replayed.' : `${over} runs can be replayed.`;
}
