import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Budget } from '../../api/types.ts';
import { useParameter } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames } from '../../live/names.ts';
import { Facts } from '../../ui/facts.tsx';
import { formatCredits, formatDateTime } from '../../ui/format.ts';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section, Sections } from '../../ui/section.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { BudgetChange } from './budget-change.tsx';
import { DeleteBudget } from './delete-budget.tsx';
import styles from './budgets.module.css';
import { budgetQuery } from './queries.ts';
import { SharesSection } from './shares-section.tsx';
import { Spent } from './spent.tsx';
import { periodNames, spentTones, toSpentState, toWhose } from './words.ts';

/** One budget: what is spent of it, what happens when it is used up, and its amount. */
export function Page() {
  const { data: budget, error } = useQuery(budgetQuery(useParameter('budgetId')));
  const names = useAgentNames();
  const canWrite = useMay()('budgets:write');
  const whose = budget && toWhose(budget, names);
  return (
    <Frame
      title={whose === undefined ? 'Budget' : `Budget: ${whose}`}
      meta={budget && <Meta budget={budget} />}
      actions={budget && canWrite && <DeleteBudget budget={budget} whose={whose ?? ''} />}
    >
      <Problem error={error} />
      {budget && (
        <Sections>
          <SpentSection budget={budget} whose={whose ?? ''} />
          {budget.each && <SharesSection budget={budget} />}
          <EndSection budget={budget} />
          {canWrite && (
            <Section title="Change">
              <BudgetChange key={budget.updatedAt} budget={budget} />
            </Section>
          )}
        </Sections>
      )}
    </Frame>
  );
}

function Meta({ budget }: { budget: Budget }) {
  const { credits, period, each, updatedAt } = budget;
  const state = toSpentState(budget.spent, credits);
  return (
    <>
      {!each && state !== 'open' && <Status status={state} tone={spentTones[state]} />}
      <span>
        {formatCredits(credits)} {periodNames[period]}
        {each && ' for each'}
      </span>
      <span>
        Changed <Time at={updatedAt} />
      </span>
    </>
  );
}

function SpentSection({ budget, whose }: { budget: Budget; whose: string }) {
  const { scope, subject, each, credits, spent, reserved, periodStartsAt, warnedAt } = budget;
  const isReadable = useMay()('agents:read') && scope === 'agent' && !each;
  return (
    <Section title="Spent">
      {!each && <Spent label={whose} share={budget} credits={credits} />}
      <Facts
        facts={[
          ['By all', each ? formatCredits(spent) : null],
          ['Reserved', reserved === '0' ? null : `${formatCredits(reserved)} by calls that run`],
          ['Since', periodStartsAt === null ? 'it was created, and before' : formatDateTime(periodStartsAt)],
          ['Warned', warnedAt && formatDateTime(warnedAt)],
          ['Agent', isReadable ? <AgentLink id={subject ?? ''} /> : null],
        ]}
      />
    </Section>
  );
}

function AgentLink({ id }: { id: string }) {
  return (
    <Link to="/agents/$agentId" params={{ agentId: id }}>
      Open the agent
    </Link>
  );
}

function EndSection({ budget: { message, each } }: { budget: Budget }) {
  return (
    <Section title="When it is used up">
      <p className={styles.text}>
        A call of a model or a tool that could cost more than {each ? 'one of them has' : 'is'} left is not
        made, and its turn fails. From 80 % on, webhooks are notified of the event <code>budget.warning</code>
        .
      </p>
      <p className={styles.text}>
        {message === null ? 'People read the standard sentence.' : 'People read:'}
      </p>
      {message !== null && <blockquote className={styles.message}>{message}</blockquote>}
    </Section>
  );
}
