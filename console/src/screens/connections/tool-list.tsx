import { useState, type ReactNode } from 'react';
import type { JsonObject } from '../../api/types.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Facts } from '../../ui/facts.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { List, type Column } from '../../ui/list.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './connections.module.css';

/** A tool of a connection, or an operation of a provider. */
interface Tool {
  name: string;
  description: string;
  inputSchema: JsonObject;
  /** Invisible characters of its definition, such as `U+200B`. */
  hiddenCharacters?: readonly string[] | undefined;
  effect?: string;
  scopes?: readonly string[];
}

interface ToolListProps {
  label: string;
  tools: readonly Tool[];
  empty: ReactNode;
}

/** How many rows a list has before a field to search it appears. */
const fewTools = 8;

/** Lists tools; each opens with its whole description and its arguments. */
export function ToolList({ label, tools, empty }: ToolListProps) {
  const [text, setText] = useState('');
  const [opened, setOpened] = useState<Tool | null>(null);
  const wanted = text.trim().toLowerCase();
  const found = tools.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      {tools.length > fewTools && (
        <div className={styles.search}>
          <Field label={`Search ${label.toLowerCase()}`} type="search" value={text} onChange={setText} />
        </div>
      )}
      {tools.length === 0 && empty}
      {tools.length > 0 && (
        <div className={styles.box} style={{ maxHeight: (found.length + 1) * 36 + 3 }}>
          <List
            label={label}
            items={found}
            toKey={({ name }) => name}
            columns={toColumns(tools, setOpened)}
            empty={<p className={styles.quiet}>None fits.</p>}
          />
        </div>
      )}
      {opened && <ToolDialog tool={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function toColumns(tools: readonly Tool[], open: (tool: Tool) => void): Column<Tool>[] {
  const columns: Column<Tool>[] = [
    {
      name: 'Name',
      width: 'minmax(0, 1fr)',
      cell: (tool) => (
        <button type="button" className={styles.open} onClick={() => open(tool)}>
          <code>{tool.name}</code>
        </button>
      ),
    },
    {
      name: 'Description',
      width: 'minmax(0, 2fr)',
      isWide: true,
      cell: ({ description }) => <span className={styles.quiet}>{description}</span>,
    },
  ];
  if (tools.every(({ effect }) => effect === undefined)) return columns;
  return [...columns, { name: 'Effect', width: '96px', cell: ({ effect }) => effect && toWords(effect) }];
}

function ToolDialog({ tool, onClose }: { tool: Tool; onClose: () => void }) {
  const { name, description, inputSchema, hiddenCharacters = [], effect, scopes = [] } = tool;
  return (
    <Dialog title={name} isOpen isWide onClose={onClose}>
      <p>{description}</p>
      {hiddenCharacters.length > 0 && (
        <p className={styles.warnings}>
          Its definition has invisible characters, which models are not given: {hiddenCharacters.join(', ')}.
        </p>
      )}
      <Facts
        facts={[
          ['Effect', effect && toWords(effect)],
          ['Scopes', scopes.join(', ')],
        ]}
      />
      <h3>Arguments</h3>
      <JsonView value={inputSchema} open={3} />
    </Dialog>
  );
}
