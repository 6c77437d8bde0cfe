import { Button } from '../../ui/button.tsx';
import { CommittedField } from '../../ui/committed-field.tsx';
import styles from './audit.module.css';
import { parseAuditSearch, toFilters, type AuditSearch } from './search.ts';

interface AuditFiltersProps {
  search: AuditSearch;
  onChange: (search: AuditSearch) => void;
}

/** What was done, to what, and when. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const filters = toFilters(search);
  const { type = '', subjectId = '', from = '', to = '' } = filters;
  const set = (change: AuditSearch) => onChange(parseAuditSearch({ ...filters, ...change }));
  return (
    <div className={styles.filters}>
      <CommittedField
        label="What, such as tool.executed"
        value={type}
        onCommit={(text) => set({ type: toType(text) })}
      />
      <CommittedField label="About (id)" value={subjectId} onCommit={(id) => set({ subjectId: id })} />
      <CommittedField
        label="First day (UTC)"
        type="date"
        value={from}
        onCommit={(day) => set({ from: day })}
      />
      <CommittedField label="Last day" type="date" value={to} onCommit={(day) => set({ to: day })} />
      {Object.keys(filters).length > 0 && (
        <Button kind="plain" onPress={() => onChange({})}>
          Clear
        </Button>
      )}
    </div>
  );
}

/** People type what the list shows, such as "tool executed"; the API has `tool.executed`. */
function toType(text: string): string {
  return text.includes('.')
    ? text
    : text
        .toLowerCase()
        .replace(/ (?=[^ ]*$)/, '.')
        .replaceAll(' ', '_');
}
