import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import type { Agent, NewTool } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
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
  const [off, setOff] = useState(() => listDisabled(agent));
  const tools = off.join() === listDisabled(agent).join() ? undefined : toTools(agent, off);
  const isChanged = instructions !== agent.instructions || model !== agent.model || tools !== undefined;
  const save = useMutation({
    mutationFn: () =>
      holdfast.agents.update(agent.id, {
        version: agent.version,
        ...(instructions === agent.instructions ? {} : { instructions }),
        ...(model === agent.model ? {} : { model }),
        ...(tools === undefined ? {} : { tools }),
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
        <Link to="/agents/$agentId" params={{ agentId: agent.id }}>
          {agent.name}
        </Link>
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
      <Tools agent={agent} off={off} onChange={canWrite ? setOff : undefined} />
      <Problem error={save.error} />
      {canWrite && isChanged && (
        <SaveButtons
          version={agent.version + 1}
          isPending={save.isPending}
          onDiscard={() => {
            setInstructions(agent.instructions);
            setModel(agent.model);
            setOff(listDisabled(agent));
          }}
        />
      )}
    </form>
  );
}

interface SaveButtonsProps {
  version: number;
  isPending: boolean;
  onDiscard: () => void;
}

function SaveButtons({ version, isPending, onDiscard }: SaveButtonsProps) {
  return (
    <div className={styles.buttons}>
      <Button kind="main" type="submit" isPending={isPending}>
        Save as version {version}
      </Button>
      <Button onPress={onDiscard}>Discard</Button>
    </div>
  );
}

/** The ids of the tools that are not offered to the model. */
const listDisabled = ({ tools }: Agent): string[] =>
  tools.flatMap(({ id, settings }) => (settings?.enabled === false ? [id] : []));

/** The tools of the agent for its next version. */
const toTools = (agent: Agent, off: readonly string[]): NewTool[] => {
  const before = listDisabled(agent);
  return agent.tools.map(({ id, ...tool }) => {
    const enabled = off.includes(id) ? false : undefined;
    return before.includes(id) === off.includes(id)
      ? tool
      : { ...tool, settings: { ...tool.settings, enabled } };
  });
};

interface ToolsProps {
  agent: Agent;
  off: readonly string[];
  /** Undefined for who may not change the agent. */
  onChange: ((off: string[]) => void) | undefined;
}

/** Which tools are offered to the model. */
function Tools({ agent: { id: agentId, tools }, off, onChange }: ToolsProps) {
  const toggle = (id: string, isOn: boolean) =>
    onChange?.(tools.flatMap((tool) => ((tool.id === id ? !isOn : off.includes(tool.id)) ? [tool.id] : [])));
  return (
    <section className={styles.tools}>
      <h3 className={styles.quiet}>Tools</h3>
      {tools.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          isChecked={!off.includes(id)}
          isDisabled={!onChange}
          onChange={(isOn) => toggle(id, isOn)}
        />
      ))}
      {tools.length === 0 && <p className={styles.quiet}>It has none.</p>}
      {onChange && (
        <Link to="/agents/$agentId" params={{ agentId }} search={{ tab: 'tools' }}>
          Add tools or change them
        </Link>
      )}
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
