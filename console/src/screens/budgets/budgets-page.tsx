import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Budget } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { formatCredits } from '../../ui/format.ts';
import { List, type Column } from '../../ui/list.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import styles from './budgets.module.css';
import { budgetsQuery } from './queries.ts';
import { Spent } from './spent.tsx';
import { periodNames, spentTones, toSpentState, toWhose } from './words.ts';

/** The budgets of the workspace, with what is spent of each. */
export function Page() {
  const budgets = useInfiniteQuery(budgetsQuery);
  return (
    <Frame title="Budgets" fills actions={<NewBudget />}>
      <Problem error={budgets.error} />
      <List
        label="Budgets"
        items={budgets.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        columns={useColumns()}
        loadMore={budgets.hasNextPage ? () => void budgets.fetchNextPage() : undefined}
        isLoading={budgets.isFetching}
        empty={
          <Empty
            title="There is no budget yet"
            text="A budget ends turns before they cost more than an amount: of the whole workspace, of an agent, of a person or of a conversation."
            action={<NewBudget />}
          />
        }
      />
    </Frame>
  );
}

function NewBudget() {
  const navigate = useNavigate();
  if (!useMay()('budgets:write')) return null;
  return (
    <Button kind="main" onPress={() => void navigate({ to: '/budgets/new' })}>
      New budget …
    </Button>
  );
}

function useColumns(): Column<Budget>[] {
  const names = useAgentNames();
  return [
    {
      name: 'Budget of',
      width: 'minmax(0, 2fr)',
      cell: (budget) => (
        <Link to="/budgets/$budgetId" params={{ budgetId: budget.id }} className={styles.name}>
          {toWhose(budget, names)}
        </Link>
      ),
    },
    {
      name: 'Amount',
      width: 'minmax(0, 1fr)',
      isWide: true,
      cell: ({ credits, period }) => `${formatCredits(credits)} ${periodNames[period]}`,
    },
    {
      name: 'Spent',
      width: 'minmax(0, 2fr)',
      cell: (budget) => <SpentCell budget={budget} label={toWhose(budget, names)} />,
    },
    { name: 'State', width: '128px', isWide: true, cell: (budget) => <State budget={budget} /> },
  ];
}

/** The sum of a budget for each has no amount that it could reach. */
function SpentCell({ budget, label }: { budget: Budget; label: string }) {
  if (budget.each) return `${formatCredits(budget.spent)} by all together`;
  return <Spent label={label} share={budget} credits={budget.credits} />;
}

function State({ budget }: { budget: Budget }) {
  if (budget.each)
    return budget.warnedAt === null ? null : <Status status="nearly used up by one" tone="wait" />;
  const state = toSpentState(budget.spent, budget.credits);
  return state === 'open' ? null : <Status status={state} tone={spentTones[state]} />;
}
