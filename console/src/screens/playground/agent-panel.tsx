import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import type { Agent } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './agent-panel.module.css';
import { agentQuery, modelsQuery } from './queries.ts';

/** The agent beside the conversation: its instructions, its model and its tools. */
export function AgentPanel({ agentId }: { agentId: string }) {
  const may = useMay();
  const agent = useQuery({ ...agentQuery(agentId), enabled: may('agents:read') });
  if (!may('agents:read')) return null;
  return (
    <aside className={styles.panel} aria-label="Agent">
      <Problem error={agent.error} />
      {agent.data && <AgentForm key={agent.data.versionId} agent={agent.data} />}
    </aside>
  );
}

/** Changes are a new version, which the next turn uses. */
function AgentForm({ agent }: { agent: Agent }) {
  const may = useMay();
  const queries = useQueryClient();
  const [instructions, setInstructions] = useState(agent.instructions);
  const [model, setModel] = useState(agent.model);
  const isChanged = instructions !== agent.instructions || model !== agent.model;
  const save = useMutation({
    mutationFn: () =>
      holdfast.agents.update(agent.id, {
        version: agent.version,
        ...(instructions === agent.instructions ? {} : { instructions }),
        ...(model === agent.model ? {} : { model }),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['agents'] }),
  });
  const canWrite = may('agents:write');
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <h2 className={styles.title}>
        <Link to="/agents">{agent.name}</Link>
        <span className={styles.quiet}>version {agent.version}</span>
      </h2>
      <Field
        label="Instructions"
        rows={10}
        value={instructions}
        onChange={setInstructions}
        isReadOnly={!canWrite}
      />
      <ModelChoice value={model} onChange={setModel} isDisabled={!canWrite} />
      <Tools tools={agent.tools} />
      <Problem error={save.error} />
      {canWrite && isChanged && (
        <div className={styles.buttons}>
          <Button kind="main" type="submit" isPending={save.isPending}>
            Save as version {agent.version + 1}
          </Button>
          <Button
            onPress={() => {
              setInstructions(agent.instructions);
              setModel(agent.model);
            }}
          >
            Discard
          </Button>
        </div>
      )}
    </form>
  );
}

function Tools({ tools }: Pick<Agent, 'tools'>) {
  return (
    <section>
      <h3 className={styles.quiet}>Tools</h3>
      <ul className={styles.tools}>
        {tools.map(({ id, name, description }) => (
          <li key={id} title={description}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
      {tools.length === 0 && <p className={styles.quiet}>It has none.</p>}
    </section>
  );
}

interface ModelChoiceProps {
  value: string;
  onChange: (model: string) => void;
  isDisabled: boolean;
}

function ModelChoice({ value, onChange, isDisabled }: ModelChoiceProps) {
  const { data } = useQuery(modelsQuery);
  const names = data?.models.map(({ name }) => name) ?? [];
  const options = [...new Set([value, ...names])].map((name) => ({ value: name, text: name }));
  return <Choice label="Model" value={value} options={options} onChange={onChange} isDisabled={isDisabled} />;
}
