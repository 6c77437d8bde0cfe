import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import type { ApprovalGrant, JsonObject } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { toDeciderName } from '../../live/actions/decider-name.ts';
import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Empty } from '../../ui/empty.tsx';
import type { Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Sections } from '../../ui/section.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { grantsQuery } from './queries.ts';

/** Approvals that are remembered for later calls. */
export function GrantsTab({ which }: { which: 'active' | 'all' }) {
  const grants = useInfiniteQuery(grantsQuery(which));
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: (id: string) => holdfast.approvalGrants.revoke(id),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['actions', 'grants'] }),
  });
  const items = grants.data?.pages.flatMap((page) => page.items) ?? [];
  const columns = useColumns(revoke.mutate);
  if (items.length === 0 && grants.isSuccess) return <NothingRemembered />;
  return (
    <Sections>
      <Problem error={grants.error ?? revoke.error} />
      {items.length > 0 && (
        <Table label="Remembered approvals" items={items} toKey={({ id }) => id} columns={columns} />
      )}
      {grants.hasNextPage && (
        <Buttons>
          <Button isPending={grants.isFetchingNextPage} onPress={() => void grants.fetchNextPage()}>
            Show older ones
          </Button>
        </Buttons>
      )}
    </Sections>
  );
}

function NothingRemembered() {
  return (
    <Empty
      title="No approval is remembered"
      text="Who approves a call may let later ones that are like it run without asking: “Remember …” beside a call that waits."
      action={
        <Link to="/approvals" search={{ tab: 'waiting' }}>
          See what waits
        </Link>
      }
    />
  );
}

function useColumns(revoke: (id: string) => void): Column<ApprovalGrant>[] {
  const may = useMay();
  const names = useAgentNames();
  const columns: Column<ApprovalGrant>[] = [
    { name: 'Call', width: '', cell: ({ tool, target }) => <code>{target ?? tool}</code> },
    { name: 'The same', width: '', cell: ({ pins }) => toPins(pins) },
    {
      name: 'Holds',
      width: '',
      isWide: true,
      cell: ({ scope, scopeId }) => toScopeText(scope, names?.get(scopeId)),
    },
    {
      name: 'Given by',
      width: '',
      isWide: true,
      cell: ({ createdBy }) => toDeciderName(createdBy),
    },
    { name: 'Until', width: '', cell: (grant) => <Until grant={grant} /> },
    {
      name: 'Revoke',
      hidesName: true,
      width: '',
      cell: (grant) => <Revoke grant={grant} onRevoke={() => revoke(grant.id)} />,
    },
  ];
  return columns.filter(({ name }) => name !== 'Revoke' || may('approvals:decide'));
}

function toPins(pins: JsonObject): string {
  const texts = Object.entries(pins).map(
    ([path, value]) => `${path} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return texts.length === 0 ? 'every call' : texts.join(', ');
}

function toScopeText(scope: ApprovalGrant['scope'], agent: string | undefined): string {
  if (scope === 'conversation') return 'in one conversation';
  return scope === 'workspace' ? 'of every agent' : `of the agent ${agent ?? ''}`.trim();
}

function Until({ grant: { until, revokedAt } }: { grant: ApprovalGrant }) {
  const now = useNow(60_000);
  if (revokedAt !== null) return <Status status="revoked" />;
  return Date.parse(until) <= now ? <Status status="over" /> : <Time at={until} />;
}

function Revoke({ grant, onRevoke }: { grant: ApprovalGrant; onRevoke: () => void }) {
  const now = useNow(60_000);
  if (grant.revokedAt !== null || Date.parse(grant.until) <= now) return null;
  return (
    <ConfirmButton
      title={`Revoke the approval of ${grant.target ?? grant.tool}`}
      text="Later calls ask again. A call that it has approved already still runs."
      onConfirm={onRevoke}
    >
      Revoke
    </ConfirmButton>
  );
}
