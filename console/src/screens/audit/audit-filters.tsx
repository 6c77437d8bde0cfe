import { useKeyIds, useKeyNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { CommittedField } from '../../ui/committed-field.tsx';
import styles from './audit.module.css';
import { parseAuditSearch, toFilters, type AuditSearch } from './search.ts';

interface AuditFiltersProps {
  search: AuditSearch;
  onChange: (search: AuditSearch) => void;
}

/** Narrows the audit log by action, subject, actor and time. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const filters = toFilters(search);
  const { type = '', subjectId = '', from = '', to = '' } = filters;
  const names = useKeyNames();
  const ids = useKeyIds();
  const { person, apiKeyId = '', ...others } = filters;
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
        label="By (person or key)"
        value={person ?? names?.get(apiKeyId) ?? apiKeyId}
        onCommit={(text) => onChange(parseAuditSearch({ ...others, ...toByFilter(text, ids) }))}
      />
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

const keyId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The id or the name of an API key is that key; every other text is a person. */
function toByFilter(text: string, ids: ReadonlyMap<string, string> | undefined): AuditSearch {
  if (text === '') return {};
  const apiKeyId = keyId.test(text) ? text : ids?.get(text);
  return apiKeyId === undefined ? { person: text } : { apiKeyId };
}
