import { useInfiniteQuery } from '@tanstack/react-query';
import type { Budget } from '../../api/types.ts';
import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import { sharesQuery } from './queries.ts';
import { Spent } from './spent.tsx';
import { toWhose } from './words.ts';

/** What each agent, conversation or person has spent, the most first. */
export function SharesSection({ budget }: { budget: Budget }) {
  const { id, scope, credits } = budget;
  const shares = useInfiniteQuery(sharesQuery(id));
  const names = useAgentNames();
  const toName = (subject: string) => (scope === 'agent' ? (names?.get(subject) ?? subject) : subject);
  return (
    <Section title={toWhose(budget, undefined)}>
      <Problem error={shares.error} />
      {shares.data && (
        <Table
          label="What each has spent"
          items={shares.data.pages.flatMap(({ items }) => items)}
          toKey={({ subject }) => subject}
          columns={[
            { name: 'Name', width: '', cell: ({ subject }) => toName(subject) },
            {
              name: 'Spent',
              width: '',
              cell: (share) => <Spent label={toName(share.subject)} share={share} credits={credits} />,
            },
          ]}
          empty="None of them has spent anything in this period."
        />
      )}
      {shares.hasNextPage && (
        <div>
          <Button isPending={shares.isFetchingNextPage} onPress={() => void shares.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Section>
  );
}
