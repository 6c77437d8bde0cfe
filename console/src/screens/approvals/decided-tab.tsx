import { useInfiniteQuery } from '@tanstack/react-query';
import type { PendingAction } from '../../api/types.ts';
import { toDeciderName } from '../../live/actions/decider-name.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { Inbox } from './inbox.tsx';
import { endedQuery } from './queries.ts';
import type { EndStatus } from './search.ts';
import { useChosen } from './use-chosen.ts';

interface DecidedTabProps {
  /** How the actions have ended; undefined for any way. */
  status: EndStatus | undefined;
  hasKeys: boolean;
}

/** What was decided, by whom and when, or has expired: the newest at the top. */
export function DecidedTab({ status, hasKeys }: DecidedTabProps) {
  const ended = useInfiniteQuery(endedQuery(status));
  const actions = ended.data ?? [];
  const { chosen, error, isOpened } = useChosen(actions, 'decided');
  if (actions.length === 0 && ended.isSuccess && !isOpened) return <NothingDecided />;
  return (
    <>
      <Problem error={ended.error ?? error} />
      <Inbox
        label="What was decided"
        name="decided"
        actions={actions}
        chosen={chosen}
        isOpened={isOpened}
        hasKeys={hasKeys}
        toState={toState}
        toOrigin={toOrigin}
      >
        {ended.hasNextPage && (
          <Button
            kind="plain"
            isPending={ended.isFetchingNextPage}
            onPress={() => void ended.fetchNextPage()}
          >
            Show older ones
          </Button>
        )}
      </Inbox>
    </>
  );
}

const toState = ({ status }: PendingAction) => <Status status={status} />;

/** Who has decided, and when. */
function toOrigin({ decidedBy, decidedAt, expiresAt }: PendingAction) {
  return (
    <>
      {decidedBy && `by ${toDeciderName(decidedBy)} · `}
      <Time at={decidedAt ?? expiresAt} />
    </>
  );
}

function NothingDecided() {
  return (
    <Empty title="Nothing was decided" text="Decisions are listed here with the people who have made them." />
  );
}
