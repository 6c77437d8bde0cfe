import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../app/session.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatCount, formatDateTime, formatDuration } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { Section, Sections } from '../../ui/section.tsx';
import { PricesSection } from './prices-section.tsx';
import { workspaceQuery } from './queries.ts';
import styles from './settings.module.css';

const approvals = {
  never: 'Run without asking',
  ask: 'Ask a person, who may remember the decision',
  always_ask: 'Ask a person each time',
};

/** The workspace, how long it keeps turns, and the limits that hold for it. */
export function WorkspaceTab() {
  const { data: workspace, error } = useQuery(workspaceQuery);
  const may = useMay();
  if (!workspace) return <Problem error={error} />;
  const { id, name, createdAt, retentionDays, approval, startTimeoutMs, maxRunningTurns } = workspace;
  return (
    <Sections>
      <Section title={name} actions={<Copy text={id}>Copy the id</Copy>}>
        <Facts facts={[['Created', formatDateTime(createdAt)]]} />
      </Section>
      <Section title="Retention">
        <Facts
          facts={[
            [
              'Turns are kept',
              retentionDays === null
                ? 'until they are deleted'
                : `for ${formatCount(retentionDays)} days; then they are removed with all that belongs to them`,
            ],
          ]}
        />
      </Section>
      <Section title="Turns">
        <Facts
          facts={[
            ['Calls that change something', approvals[approval]],
            ['At one time', maxRunningTurns === null ? 'no limit' : `${formatCount(maxRunningTurns)} turns`],
            ['Wait for a worker', `at most ${formatDuration(startTimeoutMs)}`],
          ]}
        />
        <p className={styles.quiet}>
          The operator of the installation changes these with <code>npx holdfast workspaces</code>.
        </p>
      </Section>
      {may('budgets:read') && <PricesSection />}
      {may('webhooks:read') && (
        <Section title="Webhooks">
          <p>
            <Link to="/webhooks">The programs that are notified of what happens here</Link>
          </p>
        </Section>
      )}
    </Sections>
  );
}
