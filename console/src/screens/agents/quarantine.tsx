import { useMutation, useQueryClient } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import type { JsonObject, Tool, ToolState } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Difference } from '../../ui/difference.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './agents.module.css';

interface QuarantineProps {
  agentId: string;
  tool: Tool;
  state: ToolState;
  /** The name of a tool behind the gateway, such as `desk:send`. */
  target?: string;
}

/** How the server has changed a quarantined tool, and the button that accepts the change. */
export function Quarantine({ agentId, tool, state: { drift }, target }: QuarantineProps) {
  const canWrite = useMay()('agents:write');
  const queries = useQueryClient();
  const accept = useMutation({
    mutationFn: (hash: string) =>
      holdfast.agents.tools.accept(agentId, tool.id, { hash, ...(target === undefined ? {} : { target }) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['agents'] }),
  });
  if (drift === null) return null;
  const name = target ?? tool.name;
  const [before, after] = [toSide(drift.changes, 'before'), toSide(drift.changes, 'after')];
  return (
    <section className={styles.quarantine} aria-label={`Quarantine of ${name}`}>
      <p>
        <strong>{name} is quarantined.</strong> Its server has changed its definition{' '}
        <Time at={drift.detectedAt} />. It is not offered to the model and not called until somebody accepts
        the change.
      </p>
      <Difference label={`What the server has changed of ${name}`} before={before} after={after} />
      <Problem error={accept.error} />
      {canWrite && (
        <Buttons>
          <Button kind="main" isPending={accept.isPending} onPress={() => accept.mutate(drift.hash)}>
            Accept the change
          </Button>
        </Buttons>
      )}
    </section>
  );
}

type Changes = NonNullable<ToolState['drift']>['changes'];

/** The changed parts as they were, or as they are; a part that one side lacks is left out of it. */
function toSide(changes: Changes, side: 'before' | 'after'): JsonObject {
  return Object.fromEntries(
    changes.flatMap((change) => (change[side] === null ? [] : [[change.path, change[side]]])),
  );
}
