import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CommittedField } from '../../ui/committed-field.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './runs.module.css';
import { runOutcomes, type RunsSearch } from './search.ts';

interface RunFiltersProps {
  search: RunsSearch;
  onChange: (search: RunsSearch) => void;
}

/** The filters of the list of runs. A text takes effect with Enter, a choice at once. */
export function RunFilters({ search, onChange }: RunFiltersProps) {
  const names = useAgentNames();
  const set = (change: Loose) => onChange(withoutEmpty({ ...search, ...change }));
  const outcomes = runOutcomes.map((value) => ({ value, text: toWords(value) }));
  const agents = [...(names ?? [])].map(([value, text]) => ({ value, text }));
  return (
    <div className={styles.filters}>
      <Choice
        label="State"
        value={search.outcome ?? ''}
        options={[{ value: '', text: 'Any' }, ...outcomes]}
        onChange={(outcome) => set({ outcome })}
      />
      {names && (
        <Choice
          label="Agent"
          value={search.agentId ?? ''}
          options={[{ value: '', text: 'Any' }, ...agents]}
          onChange={(agentId) => set({ agentId })}
        />
      )}
      <CommittedField label="Person" value={search.person ?? ''} onCommit={(person) => set({ person })} />
      <CommittedField label="Tag" value={search.tag ?? ''} onCommit={(tag) => set({ tag })} />
      <CommittedField label="Tool" value={search.tool ?? ''} onCommit={(tool) => set({ tool })} />
      <CommittedField label="Text" value={search.text ?? ''} onCommit={(text) => set({ text })} />
      <Choice
        label="Took"
        value={String(search.durationFrom ?? '')}
        options={durations}
        onChange={(value) => set({ durationFrom: toNumber(value) })}
      />
      <Choice
        label="Cost"
        value={String(search.costFrom ?? '')}
        options={costs}
        onChange={(value) => set({ costFrom: toNumber(value) })}
      />
      <Choice
        label="Started"
        value={toAge(search.from)}
        options={ages.map(({ value, text }) => ({ value, text }))}
        onChange={(value) => set({ from: toFrom(value) })}
      />
      {Object.keys(search).length > 0 && (
        <Button kind="plain" onPress={() => onChange({})}>
          Clear
        </Button>
      )}
    </div>
  );
}

const ages = [
  { value: '', text: 'At any time', hours: 0 },
  { value: '1', text: 'In the last hour', hours: 1 },
  { value: '24', text: 'In the last day', hours: 24 },
  { value: '168', text: 'In the last week', hours: 168 },
  { value: '720', text: 'In the last 30 days', hours: 720 },
] as const;

/** The address has a time and not an age, so that a link shows the same runs tomorrow. */
function toFrom(value: string): string {
  const hours = Number(value);
  return hours === 0 ? '' : new Date(Date.now() - hours * 3_600_000).toISOString();
}

function toAge(from: string | undefined): string {
  if (from === undefined) return '';
  const hours = (Date.now() - Date.parse(from)) / 3_600_000;
  return ages.find((age) => age.hours >= hours - 0.5)?.value ?? '720';
}

/** Filters as fields hold them: an empty text is none. */
type Loose = { [Name in keyof RunsSearch]: RunsSearch[Name] | '' | undefined };

function withoutEmpty(search: Loose): RunsSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  );
}

const toNumber = (text: string) => (text === '' ? undefined : Number(text));

/** Milliseconds. */
const durations = [
  { value: '', text: 'Any' },
  { value: '5000', text: '5 s or more' },
  { value: '30000', text: '30 s or more' },
  { value: '120000', text: '2 min or more' },
];

/** Credits, which are millionths of a dollar. */
const costs = [
  { value: '', text: 'Any' },
  { value: '10000', text: '1 cent or more' },
  { value: '100000', text: '10 cents or more' },
  { value: '1000000', text: '1 dollar or more' },
];
