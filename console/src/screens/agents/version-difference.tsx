import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import type { Agent, AgentVersion } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Choice } from '../../ui/choice.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Difference } from '../../ui/difference.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './versions.module.css';
import { toComparable } from './comparable.ts';
import { toChange, toDraft } from './draft.ts';
import { versionQuery } from './queries.ts';
import { ToolDifferences } from './tool-differences.tsx';
import { withValue } from './with-value.ts';

interface VersionDifferenceProps {
  agent: Agent;
  version: number;
  /** The version that it is compared with. */
  against: number;
}

/** What differs between two versions, field by field, and the way back to one of them. */
export function VersionDifference({ agent, version, against }: VersionDifferenceProps) {
  const shown = useQuery(versionQuery(agent.id, version));
  const other = useQuery(versionQuery(agent.id, against));
  const navigate = useNavigate();
  const compare = (value: string) =>
    void navigate({
      to: '.',
      search: { tab: 'versions', version, against: Number(value) },
      replace: true,
    });
  const numbers = Array.from({ length: agent.version }, (_, index) => agent.version - index);
  return (
    <section className={styles.difference} aria-labelledby="difference">
      <header className={styles.differenceHead}>
        <h2 id="difference">Version {version}</h2>
        {agent.version > 1 && (
          <Choice
            label="Compared with"
            value={String(against)}
            options={numbers
              .filter((number) => number !== version || number === against)
              .map((number) => ({ value: String(number), text: `Version ${number}` }))}
            onChange={compare}
          />
        )}
        {shown.data && <RollBack agent={agent} version={shown.data} />}
      </header>
      <Problem error={shown.error ?? other.error} />
      {shown.data && other.data && version !== against && <Fields before={other.data} after={shown.data} />}
      {shown.data && version === against && <JsonView value={toComparable(shown.data)} />}
    </section>
  );
}

function Fields({ before, after }: { before: AgentVersion; after: AgentVersion }) {
  const [one, two] = [toComparable(before), toComparable(after)];
  if (JSON.stringify(one) === JSON.stringify(two))
    return <p className={styles.quiet}>The two versions say the same.</p>;
  return (
    <>
      <Difference
        label={`What differs between version ${before.version} and version ${after.version}`}
        before={withValue(one, 'tools', undefined)}
        after={withValue(two, 'tools', undefined)}
      />
      <ToolDifferences before={before} after={after} />
    </>
  );
}

/** Makes a new version with the content of an old one. */
function RollBack({ agent, version }: { agent: Agent; version: AgentVersion }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const change = toChange(toDraft(agent), toDraft(version));
  const restore = useMutation({
    mutationFn: () => holdfast.agents.update(agent.id, { ...change, version: agent.version }),
    onSuccess: (next) =>
      navigate({ to: '.', search: { tab: 'versions', version: next.version }, replace: true }),
    // When somebody else was first, their version is shown.
    onSettled: () => queries.invalidateQueries({ queryKey: ['agents'] }),
  });
  if (!useMay()('agents:write') || version.version === agent.version || Object.keys(change).length === 0)
    return null;
  const refused = Object.entries(toFieldErrors(restore.error));
  return (
    <>
      <ConfirmButton
        title={`Roll back to version ${version.version}?`}
        text={`Version ${agent.version + 1} is made with the content of version ${version.version}. Turns that run keep their version. The connectors stay as they are.`}
        isPending={restore.isPending}
        onConfirm={() => restore.mutate()}
      >
        Roll back
      </ConfirmButton>
      <Problem error={restore.error} />
      {refused.map(([field, message]) => (
        <p key={field} className={styles.error}>
          <code>{field}</code>: {message}
        </p>
      ))}
    </>
  );
}
