import type { Agent } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Difference } from '../../ui/difference.tsx';
import { Buttons } from '../../ui/section.tsx';
import styles from './agents.module.css';
import { listChanges, toComparable, toNames } from './comparable.ts';
import { toChange, toDraft, type AgentDraft } from './draft.ts';
import { ToolDifferences } from './tool-differences.tsx';
import { withValue } from './with-value.ts';

interface MeanwhileProps {
  /** The version that the changes began with. */
  base: Agent;
  /** The newest version. */
  agent: Agent;
  change: Partial<AgentDraft>;
  onKeep: () => void;
  onDiscard: () => void;
}

/** Says that somebody else has saved the agent while it was edited here, and what to do. */
export function Meanwhile({ base, agent, change, onKeep, onDiscard }: MeanwhileProps) {
  const others = toChange(toDraft(base), toDraft(agent));
  const both = toNames(Object.keys(others).filter((name) => name in change));
  return (
    <section className={styles.meanwhile} aria-label="Saved meanwhile">
      <p role="alert">
        Version {agent.version} was saved meanwhile, with changes of {listChanges(base, agent)}.
        {both !== '' && ` You have changed ${both} too: your changes would replace those.`}
      </p>
      <Difference
        label={`What version ${agent.version} has changed`}
        before={withValue(toComparable(base), 'tools', undefined)}
        after={withValue(toComparable(agent), 'tools', undefined)}
      />
      <ToolDifferences before={base} after={agent} />
      <Buttons>
        <Button onPress={onKeep}>Keep your changes, on top of version {agent.version}</Button>
        <Button onPress={onDiscard}>Discard your changes</Button>
      </Buttons>
    </section>
  );
}
