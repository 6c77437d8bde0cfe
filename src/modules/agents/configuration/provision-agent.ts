import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { createAgentConnectorRepository } from '../connectors/agent-connector-repository.ts';
import { createAgentRepository } from '../agent-repository.ts';
import type { Agent } from '../../../domain/agent.ts';
import type { AgentConfiguration } from '../../../domain/connector.ts';
import { createInvalidInput, HoldfastError, type FieldError } from '../../../domain/errors.ts';
import type { PinnedSkill } from '../../../domain/skill.ts';
import type { Maker } from '../../../domain/resource.ts';
import type { Tool, ToolInput } from '../../../domain/tool.ts';
import { connectorIdOf, toConnectorKey } from '../../../engines/tools/mcp/mcp-target.ts';
import { recordConfigured } from '../agent-audit.ts';
import { toMaker, type AgentEditor } from '../agent-editor.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { checkToolCount } from '../tools/agent-tools.ts';
import { pinSkills } from '../../skills/pin-skills.ts';
import { refuseSkillToolNames } from '../skill-tool-names.ts';
import { askConnectors, type ConnectorOffer } from '../connectors/ask-connectors.ts';
import { mostCheckingMs, tookTooLong } from '../check-agent.ts';
import { checkModels } from '../models/check-models.ts';
import { listConnectors } from '../connectors/list-attached-connectors.ts';
import { pinConnectorTools } from '../tools/pin-connector-tools.ts';
import { checkProvisioning, toSnakeCase, type Provisioning } from './provisioning.ts';
import { readConfiguration } from './read-agent-configuration.ts';
import { refuseUnmatchedRules, toRulesForLater } from '../rules-for-later.ts';
import { toShownAgent } from '../connectors/shown-connectors.ts';
import { toConnectorTool, toProvisionedRevision } from './to-provisioned-revision.ts';
import { withWarnings } from '../with-warnings.ts';

type WrongTools = Map<string, FieldError[]>;

/**
 * Makes a new version of an agent with the tools of its attached connectors, whose servers are asked for their
 * definitions before the transaction begins.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` when the connectors have changed meanwhile, or for a tool whose name
 * is taken; `INVALID_INPUT` for tools that cannot be used; `UNKNOWN_MODEL`, `CONNECTION_ACCESS_DENIED`,
 * `CONNECTION_NOT_ACTIVE`, `TOOL_UNREACHABLE`
 */
export async function provisionAgent(
  dependencies: AgentDependencies,
  actor: AgentEditor,
  { agentId, provisioning }: { agentId: string; provisioning: Provisioning },
): Promise<{ agent: Agent; configuration: AgentConfiguration }> {
  const { database, checkTool } = dependencies;
  const { workspaceId } = actor;
  await checkProvisioning(dependencies, actor, provisioning);
  const connectors = await listConnectors(dependencies, actor, { agentId });
  const offers = await askConnectors(dependencies, actor, connectors);
  // The schemas are checked before the transaction begins, because the agent is locked in it.
  const wrong = await findWrongTools(offers, (tool) => checkTool(tool, workspaceId));
  const { saved, configuration } = await database.inWorkspace(workspaceId, async (trx) => {
    const pins = provisioning.config.skills;
    const skills = pins && (await pinSkills(trx, actor, pins));
    const agent = await saveVersion(trx, {
      ...{ agentId, provisioning, skills, offers, wrong },
      madeBy: toMaker(actor),
    });
    return { saved: agent, configuration: await readConfiguration(trx, actor, { ...agent, agentId }) };
  });
  const agent = await withWarnings(dependencies, actor, { agent: saved, asked: provisioning.config });
  return { agent: toShownAgent(actor, agent), configuration };
}

interface ProvisionedVersion {
  agentId: string;
  provisioning: Provisioning;
  skills: PinnedSkill[] | undefined;
  /** The connectors that are attached to the agent, and the definitions of the tools that they name. */
  offers: ConnectorOffer[];
  /** The errors of tools, by connector and name. */
  wrong: WrongTools;
  madeBy: Maker;
}

async function saveVersion(
  trx: Knex,
  { agentId, provisioning, skills, offers, wrong, madeBy }: ProvisionedVersion,
): Promise<Agent> {
  let before: Tool[] = [];
  const agent = await createAgentRepository(trx, madeBy).reviseAgent(agentId, async (current) => {
    before = current.tools;
    const revision = toProvisionedRevision(current, { provisioning, skills, offers });
    const fresh = revision.tools.filter(({ id }) => !before.some((tool) => tool.id === id));
    checkAdded(fresh, revision.tools.length, wrong);
    await refuseUnmatchedRules(trx, revision, { toField: (field) => toGivenField(field, provisioning) });
    return { ...revision, rules: await toRulesForLater(trx, revision) };
  });
  refuseSkillToolNames(agent);
  if (provisioning.config.model !== undefined) await checkModels(trx, agent);
  await checkUnchanged(trx, agentId, offers);
  await pinConnectorTools(trx, { agent, before, offers });
  await recordConfigured(trx, agent.id, {
    version: agent.version,
    provisioned: true,
    connectors: agent.connectors.map(({ name }) => name),
    tools: agent.tools.flatMap((tool) => (connectorIdOf(tool) === undefined ? [] : [tool.name])),
  });
  return agent;
}

/** Rules that were there before are kept for later when their tool goes; those that come with the request are refused. */
function toGivenField(field: string, provisioning: Provisioning): string | undefined {
  const given = toSnakeCase(field.replace(/^rules\./, ''));
  const [list = ''] = given.split('.');
  return provisioning[list as 'tool_policies' | 'tool_allowlist'] == null ? undefined : given;
}

async function findWrongTools(
  offers: ConnectorOffer[],
  check: (tool: ToolInput) => Promise<FieldError[]>,
): Promise<WrongTools> {
  const wrong: WrongTools = new Map();
  const deadline = Date.now() + mostCheckingMs;
  for (const { connector, definitions } of offers) {
    for (const definition of definitions) {
      if (Date.now() >= deadline)
        throw createInvalidInput([{ field: definition.name, message: tookTooLong }]);
      const tool = toConnectorTool(connector, definition);
      const errors = await check(tool);
      if (errors.length > 0) wrong.set(toConnectorKey(tool), errors);
    }
  }
  return wrong;
}

function checkAdded(tools: Tool[], count: number, wrong: WrongTools): void {
  const errors = tools.flatMap((tool) =>
    (wrong.get(toConnectorKey(tool)) ?? []).map(({ field, message }) => ({
      field: `${tool.name}.${field}`,
      message,
    })),
  );
  if (errors.length > 0) throw createInvalidInput(errors.slice(0, 50));
  checkToolCount(count);
}

async function checkUnchanged(trx: Knex, agentId: string, offers: ConnectorOffer[]): Promise<void> {
  const attached = await createAgentConnectorRepository(trx).listAttached(agentId);
  const asked = offers.map(({ connector }) => connector.id);
  const ids = attached.map(({ id }) => id);
  if (isDeepStrictEqual(ids, asked)) return;
  throw new HoldfastError(
    'CONFLICT',
    'The connectors of the agent have changed meanwhile. Provision it again.',
  );
}
