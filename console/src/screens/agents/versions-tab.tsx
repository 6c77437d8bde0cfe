import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Agent, AgentVersion } from '../../api/types.ts';
import { useAgentNames, useKeyNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './versions.module.css';
import { listChanges } from './comparable.ts';
import { versionsQuery } from './queries.ts';
import type { AgentSearch } from './search.ts';
import { VersionDifference } from './version-difference.tsx';

/** The versions of an agent: what each has changed, and one of them compared with another. */
export function VersionsTab({ agent, search }: { agent: Agent; search: AgentSearch }) {
  const versions = useInfiniteQuery(versionsQuery(agent));
  const known = versions.data?.pages.flatMap(({ items }) => items) ?? [];
  const shown = search.version ?? agent.version;
  return (
    <div className={styles.columns}>
      <div>
        <Problem error={versions.error} />
        <ol aria-label="Versions, newest first">
          {known.map((version, index) => (
            <VersionRow
              key={version.id}
              version={version}
              before={known[index + 1]}
              isShown={version.version === shown}
            />
          ))}
        </ol>
        {versions.hasNextPage && (
          <Button
            kind="plain"
            isPending={versions.isFetchingNextPage}
            onPress={() => void versions.fetchNextPage()}
          >
            Show older versions
          </Button>
        )}
      </div>
      <VersionDifference agent={agent} version={shown} against={search.against ?? Math.max(shown - 1, 1)} />
    </div>
  );
}

interface VersionRowProps {
  version: AgentVersion;
  /** The one before it, where it is known. */
  before: AgentVersion | undefined;
  isShown: boolean;
}

function VersionRow({ version: shown, before, isShown }: VersionRowProps) {
  const { version, createdAt, madeBy } = shown;
  const changes = before && listChanges(before, shown);
  const maker = useMakerName(madeBy);
  return (
    <li>
      <Link
        to="."
        search={{ tab: 'versions', version }}
        replace
        className={styles.version}
        aria-current={isShown ? 'true' : undefined}
      >
        <span className={styles.versionHead}>
          <span>Version {version}</span>
          <Time at={createdAt} />
        </span>
        <span className={styles.quiet}>{version === 1 ? 'the first one' : changes}</span>
        {maker !== null && <span className={styles.quiet}>by {maker}</span>}
      </Link>
    </li>
  );
}

/** The name of who made a version; null where it is not known. */
function useMakerName(maker: AgentVersion['madeBy']): string | null {
  const keys = useKeyNames();
  const agents = useAgentNames();
  if (maker === null) return null;
  if (maker.type === 'person') return maker.person;
  if (maker.type === 'agent') return agents?.get(maker.agentId ?? '') ?? 'an agent';
  return keys?.get(maker.apiKeyId ?? '') ?? 'a key';
}
