import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import type { Scope } from '../../api/scope.ts';
import type { Agent } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './add-tools.module.css';
import { toTools, useBasket, type Basket } from './basket.ts';
import { AgentsSource, FunctionsSource, KnowledgeSource, WorkflowsSource } from './local-sources.tsx';
import { ConnectorsSource } from './connectors-source.tsx';
import { McpSource } from './mcp-source.tsx';
import { ProvidersSource } from './providers-source.tsx';
import { toolStatesQuery } from './queries.ts';
import type { SourceProps } from './source.ts';
import { approvals, type Approval } from './tool-texts.ts';

interface Source {
  name: string;
  text: string;
  /** What a person needs to see it. */
  scope: Scope;
  Content: (props: SourceProps) => React.ReactNode;
}

const sources: readonly Source[] = [
  { name: 'providers', text: 'Providers', scope: 'connections:read', Content: ProvidersSource },
  { name: 'mcp', text: 'MCP servers', scope: 'connections:read', Content: McpSource },
  { name: 'connectors', text: 'Connectors', scope: 'connections:read', Content: ConnectorsSource },
  { name: 'functions', text: 'Functions', scope: 'agents:read', Content: FunctionsSource },
  { name: 'knowledge', text: 'Knowledge', scope: 'knowledge:read', Content: KnowledgeSource },
  { name: 'workflows', text: 'Workflows', scope: 'agents:read', Content: WorkflowsSource },
  { name: 'agents', text: 'Agents', scope: 'agents:read', Content: AgentsSource },
];

interface AddToolsProps {
  agent: Agent;
  onClose: () => void;
  /** Called with a sentence about what was added. */
  onAdded: (text: string) => void;
}

/** Chooses tools from every source, and adds them in one new version of the agent. */
export function AddTools({ agent, onClose, onAdded }: AddToolsProps) {
  const { data: present } = useQuery(toolStatesQuery(agent));
  const basket = useBasket(agent.tools.map(({ name }) => name));
  const [approval, setApproval] = useState<Approval | ''>('');
  const may = useMay();
  const offered = sources.filter(({ scope }) => may(scope));
  const [name, setName] = useState(offered[0]?.name);
  const shown = offered.find((source) => source.name === name);
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => holdfast.agents.tools.addAll(agent.id, { tools: toTools(basket, approval) }),
    onSuccess: async ({ tools, agent: { version } }) => {
      await queries.invalidateQueries({ queryKey: ['agents'] });
      const count = tools.length === 1 ? '1 tool was added' : `${tools.length} tools were added`;
      onAdded(`${count}, in version ${version}.`);
    },
  });
  return (
    <Dialog
      title="Add tools"
      isOpen
      isWide
      onClose={onClose}
      actions={
        <Footer
          basket={basket}
          approval={approval}
          onApproval={setApproval}
          isPending={add.isPending}
          onAdd={() => add.mutate()}
          onClose={onClose}
        />
      }
    >
      <SourceChoice sources={offered} name={name} onChange={setName} />
      {present && shown && (
        <shown.Content
          key={shown.name}
          {...{ agent, present, basket }}
          onProvisioned={(connector) => onAdded(`The tools of ${connector} were added.`)}
        />
      )}
      <Refusal error={add.error} basket={basket} />
    </Dialog>
  );
}

interface SourceChoiceProps {
  sources: readonly Source[];
  name: string | undefined;
  onChange: (name: string) => void;
}

function SourceChoice({ sources: offered, name, onChange }: SourceChoiceProps) {
  return (
    <fieldset className={styles.sources}>
      <legend className="visually-hidden">Where the tools come from</legend>
      {offered.map((source) => (
        <label key={source.name} className={styles.source}>
          <input
            type="radio"
            name="source"
            className="visually-hidden"
            checked={source.name === name}
            onChange={() => onChange(source.name)}
          />
          <span>{source.text}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface FooterProps {
  basket: Basket;
  approval: Approval | '';
  onApproval: (approval: Approval | '') => void;
  isPending: boolean;
  onAdd: () => void;
  onClose: () => void;
}

function Footer({ basket: { chosen }, approval, onApproval, isPending, onAdd, onClose }: FooterProps) {
  const names = [...chosen.values()].map(({ name }) => name);
  return (
    <div className={styles.footer}>
      <Choice
        label="Approval of their calls"
        value={approval}
        options={[{ value: '', text: 'What their server and the workspace say' }, ...approvals]}
        onChange={onApproval}
      />
      <p className={styles.chosen}>{names.join(', ')}</p>
      <div className={styles.buttons}>
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="main" isDisabled={chosen.size === 0} isPending={isPending} onPress={onAdd}>
          Add selected ({chosen.size})
        </Button>
      </div>
    </div>
  );
}

/** Why the API has refused the tools, each with its name. */
function Refusal({ error, basket }: { error: unknown; basket: Basket }) {
  const names = [...basket.chosen.values()].map(({ name }) => name);
  const toField = (field: string) =>
    field.replace(/^tools\.(\d+)/, (_match, index: string) => names[Number(index)] ?? index);
  return (
    <>
      <Problem error={error} />
      {Object.entries(toFieldErrors(error)).map(([field, message]) => (
        <p key={field} className={styles.error}>
          <code>{toField(field)}</code>: {message}
        </p>
      ))}
    </>
  );
}
