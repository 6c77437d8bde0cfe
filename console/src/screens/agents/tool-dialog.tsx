import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import type { Agent, GetAgentToolResponse, Tool } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './agents.module.css';
import { allAgentsQuery, connectionsQuery, toolQuery } from './queries.ts';
import { Quarantine } from './quarantine.tsx';
import { ToolSettings } from './tool-settings.tsx';
import { isLeftOut, toApprovalText, toPlace, toTypeText } from './tool-texts.ts';

interface ToolDialogProps {
  agent: Agent;
  toolId: string;
}

/** One tool of an agent: what it is, whether its server has changed it, and its settings. */
export function ToolDialog({ agent, toolId }: ToolDialogProps) {
  const { data, error } = useQuery(toolQuery(agent.id, toolId));
  const canWrite = useMay()('agents:write');
  const navigate = useNavigate();
  const close = (ignoreBlocker: boolean) =>
    void navigate({ to: '.', search: { tab: 'tools' }, replace: true, ignoreBlocker });
  const remove = useRemoval(agent.id, toolId, () => close(true));
  const name = data?.tool.name ?? 'Tool';
  return (
    <Dialog
      title={name}
      isOpen
      isWide
      onClose={() => close(false)}
      actions={
        data && canWrite ? (
          <ConfirmButton
            title={`Remove ${name}?`}
            text="The agent gets a new version without it. Its rules are kept for later. Turns that run keep their version."
            isPending={remove.isPending}
            onConfirm={() => remove.mutate()}
          >
            Remove
          </ConfirmButton>
        ) : undefined
      }
    >
      <Problem error={error ?? remove.error} />
      {data && <Details agent={agent} {...data} />}
    </Dialog>
  );
}

function useRemoval(agentId: string, toolId: string, onRemoved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => holdfast.agents.tools.remove(agentId, toolId),
    onSuccess: async () => {
      onRemoved();
      queries.removeQueries({ queryKey: toolQuery(agentId, toolId).queryKey });
      await queries.invalidateQueries({ queryKey: ['agents'] });
    },
  });
}

function Details({ agent, tool, state, inner = [] }: GetAgentToolResponse & { agent: Agent }) {
  const { id: agentId, rules } = agent;
  return (
    <>
      <p className={styles.description}>{tool.description}</p>
      <Facts
        facts={[
          ['Type', `${toTypeText(tool.type)}${toPlace(tool)}`],
          ['Leads to', <Target key="target" tool={tool} />],
          ['Approval', toApprovalText(tool, rules)],
          ['Rules', toRuleText(tool, rules)],
          [
            'Pinned',
            state.pinnedHash === null ? null : <code key="hash">{state.pinnedHash.slice(0, 12)}</code>,
          ],
        ]}
      />
      <Quarantine agentId={agentId} tool={tool} state={state} />
      {inner
        .filter((one) => one.state.status === 'quarantined')
        .map((one) => (
          <Quarantine key={one.target} agentId={agentId} tool={tool} state={one.state} target={one.target} />
        ))}
      <ToolSettings key={tool.id} agentId={agentId} tool={tool} />
      <details className={styles.definition}>
        <summary>Arguments</summary>
        <JsonView value={tool.schema} open={3} />
      </details>
    </>
  );
}

/** Says what the rules of the agent, among its configuration, do to a tool; null for nothing. */
function toRuleText(tool: Tool, rules: Agent['rules']): string | null {
  if (isLeftOut(tool, rules)) return 'The allowlist of the agent leaves it out: its calls are blocked.';
  return Object.hasOwn(rules.toolPolicies, tool.name) ? 'A policy of the agent holds for its calls.' : null;
}

/** What a tool leads to, with a link where there is a page for it. */
function Target({ tool }: { tool: Tool }) {
  const may = useMay();
  const { data: connections } = useQuery({ ...connectionsQuery, enabled: may('connections:read') });
  const { data: agents } = useQuery({ ...allAgentsQuery, enabled: tool.type === 'agent' });
  const { type, config, name } = tool;
  if (type === 'agent' && config.agentId !== undefined)
    return (
      <Link to="/agents/$agentId" params={{ agentId: config.agentId }}>
        {agents?.find(({ id }) => id === config.agentId)?.name ?? config.agentName ?? config.agentId}
      </Link>
    );
  if (type === 'knowledge_base' && config.knowledgeBaseId !== undefined)
    return (
      <Link to="/knowledge/$baseId" params={{ baseId: config.knowledgeBaseId }}>
        the knowledge base
      </Link>
    );
  if (type === 'workflow') return <code>{config.workflowId}</code>;
  if (type === 'function') return <code>{config.functionName ?? name}</code>;
  if (type !== 'mcp') return null;
  const connection = connections?.find(({ id }) => id === config.connectionId);
  return (
    <>
      <code>
        {config.gateway === true ? (config.servers ?? ['its connectors']).join(', ') : (config.tool ?? name)}
      </code>
      {config.connectionId !== undefined && may('connections:read') && (
        <>
          {' over '}
          <Link
            to="/connections/$connectionId"
            params={{ connectionId: config.connectionId }}
            className={styles.inText}
          >
            {connection?.name ?? config.connectionId}
          </Link>
        </>
      )}
      {config.server !== undefined && ` of the server ${config.server}`}
    </>
  );
}
