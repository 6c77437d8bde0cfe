import { useQuery } from '@tanstack/react-query';
import type { Connection } from '../../api/types.ts';
import { modelVendors } from '../../live/connect/targets.ts';
import { connectionToolsQuery } from '../../live/connect/queries.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatCount } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './connections.module.css';
import { ToolList } from './tool-list.tsx';

/** The tools that a connection offers; a vendor of models offers none. */
export function ConnectionTools({ connection: { id, provider } }: { connection: Connection }) {
  const isModel = modelVendors.some((vendor) => vendor.provider === provider);
  const tools = useQuery({ ...connectionToolsQuery(id), enabled: !isModel });
  if (isModel) return null;
  const count = tools.data?.tools.length;
  return (
    <Section title={count === undefined ? 'Tools' : `Tools (${formatCount(count)})`}>
      <Problem error={tools.error} />
      {tools.isPending && <p className={styles.quiet}>Its server is asked …</p>}
      {tools.data && (
        <ToolList
          label="Tools"
          tools={tools.data.tools}
          empty={
            <Empty title="It offers no tools" text="Agents can be given the tools that its server lists." />
          }
        />
      )}
    </Section>
  );
}
