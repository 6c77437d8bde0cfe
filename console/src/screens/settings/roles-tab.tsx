import type { Scope } from '../../api/scope.ts';
import { useMay } from '../../app/session.tsx';
import { Facts } from '../../ui/facts.tsx';
import type { Column } from '../../ui/list.tsx';
import { Section, Sections } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import { hasScope } from './roles.ts';
import { roleTexts, scopeGroups } from './scope-texts.ts';
import styles from './settings.module.css';

interface Right {
  value: Scope;
  text: string;
  area: string;
}

const rights: readonly Right[] = scopeGroups.flatMap(({ title, scopes }) =>
  scopes.map((scope) => ({ ...scope, area: title })),
);

/** What each role may do, scope by scope, beside what the person may do. */
export function RolesTab() {
  const may = useMay();
  const columns: Column<Right>[] = [
    { name: 'Area', width: '', isWide: true, cell: ({ area }) => area },
    { name: 'Right', width: '', cell: ({ text }) => text },
    { name: 'You', width: '', cell: ({ value }) => <Allowed isAllowed={may(value)} /> },
    ...roleTexts.map(({ value: role }) => ({
      ...{ name: role, width: '' },
      cell: ({ value }: Right) => <Allowed isAllowed={hasScope(role, value)} />,
    })),
  ];
  return (
    <Sections>
      <Section title="Roles of people">
        <Facts facts={roleTexts.map(({ value, text }) => [value, text])} />
        <p className={styles.quiet}>
          Several roles add up. A token of a person has no more rights than the key that issued it.
        </p>
      </Section>
      <Section title="What each may do">
        <Table label="Rights by role" items={rights} toKey={({ value }) => value} columns={columns} />
      </Section>
    </Sections>
  );
}

function Allowed({ isAllowed }: { isAllowed: boolean }) {
  return isAllowed ? 'yes' : <span className={styles.quiet}>no</span>;
}
