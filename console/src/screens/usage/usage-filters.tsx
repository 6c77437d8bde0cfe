import { useNavigate } from '@tanstack/react-router';
import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CommittedField } from '../../ui/committed-field.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import type { DayRange } from './range.ts';
import { periods, type UsageSearch } from './search.ts';
import styles from './usage.module.css';

interface UsageFiltersProps {
  search: UsageSearch;
  range: DayRange;
}

/** Which days, which agent and which person are counted. */
export function UsageFilters({ search, range }: UsageFiltersProps) {
  const names = useAgentNames();
  const navigate = useNavigate();
  const show = (next: object) => void navigate({ to: '/usage', search: { ...next }, replace: true });
  const set = (change: object) => show(withoutEmpty({ ...search, ...change }));
  const { agentId = '', person = '', days = '30', from, to } = search;
  const isChosen = from !== undefined || to !== undefined;
  const isFiltered = Object.keys(search).some((name) => name !== 'show');
  return (
    <div className={styles.filters}>
      <Choice
        label="Time"
        value={isChosen ? 'chosen' : days}
        options={[
          ...periods.map((period) => ({ value: period, text: `Last ${period} days` })),
          ...(isChosen ? [{ value: 'chosen', text: 'The days beside' }] : []),
        ]}
        onChange={(period) => set({ days: period, from: '', to: '' })}
      />
      <CommittedField
        label="First day (UTC)"
        type="date"
        value={range.from}
        onCommit={(day) => set({ from: day, to: range.to })}
      />
      <CommittedField
        label="Last day"
        type="date"
        value={range.to}
        onCommit={(day) => set({ from: range.from, to: day })}
      />
      {names && (
        <NamedChoice
          label="Agent"
          value={agentId}
          names={names}
          none="All"
          onChange={(id) => set({ agentId: id })}
        />
      )}
      <CommittedField label="Person" value={person} onCommit={(name) => set({ person: name })} />
      {isFiltered && (
        <Button kind="plain" onPress={() => show({ show: search.show })}>
          Clear
        </Button>
      )}
    </div>
  );
}

function withoutEmpty(search: object): object {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  );
}
