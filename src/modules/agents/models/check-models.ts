import type { Knex } from 'knex';
import { createConnectionRepository } from '../../connections/connection-repository.ts';
import type { Agent, AgentChange } from '../../../domain/agent.ts';
import { createInvalidInput, HoldfastError, type FieldError } from '../../../domain/errors.ts';
import { findModelSettingErrors } from '../../../domain/model-settings.ts';
import { isSameVendor } from '../../../domain/compaction.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';

type AgentModels = Pick<
  Agent,
  'model' | 'modelConnectionId' | 'fallbackModels' | 'modelSettings' | 'summaryModel'
>;

/** A model of an agent with the paths of its fields. */
interface NamedModel {
  model: string;
  connectionId: string | null;
  field: string;
  connectionField: string;
}

function listModels({ model, modelConnectionId, fallbackModels }: AgentModels): NamedModel[] {
  const others = fallbackModels.map((one, index) => ({
    model: one.model,
    connectionId: one.modelConnectionId,
    field: `fallbackModels.${index}.model`,
    connectionField: `fallbackModels.${index}.modelConnectionId`,
  }));
  const first = { model, connectionId: modelConnectionId };
  return [{ ...first, field: 'model', connectionField: 'modelConnectionId' }, ...others];
}

/** A summary is written with the key of the agent's connection where that is one of the same vendor. */
function listSummaryModel({ summaryModel, model, modelConnectionId }: AgentModels): NamedModel[] {
  if (summaryModel === null) return [];
  const connectionId = isSameVendor(summaryModel, model) ? modelConnectionId : null;
  return [{ model: summaryModel, connectionId, field: 'summaryModel', connectionField: 'modelConnectionId' }];
}

/** Finds the models of a change whose names cannot be used. */
export function findModelProblems(
  { checkModelName }: Pick<AgentDependencies, 'checkModelName'>,
  { model, modelConnectionId, fallbackModels = [], summaryModel = null }: Partial<AgentChange>,
): FieldError[] {
  const others = fallbackModels.map((one, index) => ({
    field: `fallbackModels.${index}.model`,
    message: checkModelName(one.model, { hasConnection: one.modelConnectionId !== null }),
  }));
  // Without `modelConnectionId` the agent keeps its connection, which it may have.
  const hasConnection = modelConnectionId !== null;
  const first = model === undefined ? null : checkModelName(model, { hasConnection });
  // A summary is written with the connection of the agent when that is one of the same vendor.
  const summary = summaryModel && checkModelName(summaryModel, { hasConnection: true });
  const named = [{ field: 'model', message: first }, ...others, { field: 'summaryModel', message: summary }];
  return named.flatMap(({ field, message }) => (message === null ? [] : [{ field, message }]));
}

/** Whether a change concerns the models of an agent or how they are asked. */
export function changesModels(change: AgentChange): boolean {
  const { model, modelConnectionId, fallbackModels, modelSettings, summaryModel } = change;
  const fields = [model, modelConnectionId, fallbackModels, modelSettings, summaryModel];
  return fields.some((value) => value !== undefined);
}

/**
 * Checks that the models of an agent can be called with the connections that the agent names for them, and that the first
 * one takes the agent's settings.
 * @throws HoldfastError `CONNECTION_ACCESS_DENIED`, `CONNECTION_NOT_ACTIVE`, `INVALID_INPUT` for a connection to
 * another vendor and for settings that the model does not take
 */
export async function checkModels(
  trx: Knex,
  agent: AgentModels & { tools: readonly { name: string }[] },
): Promise<void> {
  for (const model of listModels(agent)) await checkConnection(trx, model);
  const errors = [...findModelSettingErrors(agent.model, agent.modelSettings), ...findUnknownChoice(agent)];
  if (errors.length === 0) return;
  throw createInvalidInput(
    errors.map(({ field, message }) => ({ field: `modelSettings.${field}`, message })),
  );
}

function findUnknownChoice({
  modelSettings: { toolChoice },
  tools,
}: Pick<AgentModels, 'modelSettings'> & { tools: readonly { name: string }[] }): FieldError[] {
  if (typeof toolChoice !== 'object' || tools.some(({ name }) => name === toolChoice.tool)) return [];
  return [{ field: 'toolChoice.tool', message: `expected a tool of the agent, found "${toolChoice.tool}"` }];
}

async function checkConnection(
  trx: Knex,
  { model, connectionId: id, connectionField }: NamedModel,
): Promise<void> {
  if (id === null) return;
  const found = await createConnectionRepository(trx).findConnection(id);
  if (!found) {
    throw new HoldfastError('CONNECTION_ACCESS_DENIED', `Connection ${id} not found or access denied`);
  }
  const { name, status, provider } = found.connection;
  const [vendor = ''] = model.split('/');
  if (provider !== vendor && model.includes('/')) {
    const message = `Connection provider mismatch: expected ${vendor}, got ${provider}`;
    throw createInvalidInput([{ field: connectionField, message }]);
  }
  if (status === 'active') return;
  throw new HoldfastError('CONNECTION_NOT_ACTIVE', `Connection ${name} is ${status}. Please reconnect.`);
}

/** Finds the models of an agent that have no key so far, and settings that a model which answers for another does not take. */
export function findModelWarnings(
  { findModelWarning }: Pick<AgentDependencies, 'findModelWarning'>,
  agent: AgentModels,
): FieldError[] {
  const models = listModels(agent);
  const missing = [...models, ...listSummaryModel(agent)].flatMap(({ model, connectionId, field }) => {
    const message = findModelWarning(model, { hasConnection: connectionId !== null });
    return message === null ? [] : [{ field, message }];
  });
  const refused = models.slice(1).flatMap(({ model, field }) =>
    findModelSettingErrors(model, agent.modelSettings).map((error) => ({
      field,
      message: `${model} is called without modelSettings.${error.field}, which it does not take.`,
    })),
  );
  return [...missing, ...refused];
}
