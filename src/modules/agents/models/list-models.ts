import type { Knex } from 'knex';
import { createAgentRepository } from '../agent-repository.ts';
import { createConnectionRepository } from '../../connections/connection-repository.ts';
import { createPriceRepository } from '../../credits/price-repository.ts';
import type { Actor } from '../../../domain/actor.ts';
import { findModelFacts } from '../../../domain/known-models.ts';
import type { ListedModel, ModelKind, ModelOffer } from '../../../domain/model-offer.ts';
import type { ModelState } from '../../../domain/model-state.ts';
import { findPrice } from '../../../domain/price-table.ts';
import type { ModelListDependencies } from '../agent-dependencies.ts';

interface ModelFilter {
  kind?: ModelKind | undefined;
  /** Only models that can be called with the operator's key, or only others. */
  configured?: boolean | undefined;
}

/** Lists the models that agents of a workspace can name: those that are known, and those that its agents name already. */
export async function listModels(
  { database, listModelOffers, modelStates, findModelWarning }: ModelListDependencies,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { kind, configured }: ModelFilter,
): Promise<ListedModel[]> {
  const [offers, states] = await Promise.all([listModelOffers(), modelStates(workspaceId).list()]);
  const { used, prices, connections } = await database.inWorkspace(workspaceId, (trx) =>
    readOwn(trx, states),
  );
  const offered = new Set(offers.map(({ name }) => name));
  const others = [...used.keys()]
    .filter((name) => !offered.has(name))
    .map((name): ModelOffer => ({ name, kind: 'language', warning: findModelWarning(name) }));
  const visible = states.filter(({ connectionId }) => connectionId === null || connections.has(connectionId));
  return [...offers, ...others]
    .filter((offer) => kind === undefined || offer.kind === kind)
    .filter(({ warning }) => configured === undefined || (warning === null) === configured)
    .map((offer) => ({
      ...toListed(offer, visible),
      price: findPrice(offer.name, prices) ?? null,
      agents: used.get(offer.name) ?? 0,
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
}

async function readOwn(trx: Knex, states: ModelState[]) {
  const ids = states.flatMap(({ connectionId }) => connectionId ?? []);
  const { prices } = await createPriceRepository(trx).getPrices();
  return {
    used: await createAgentRepository(trx).countModels(),
    prices,
    connections: await createConnectionRepository(trx).findConnections(ids),
  };
}

function toListed({ name, kind, warning }: ModelOffer, states: ModelState[]) {
  const facts = findModelFacts(name);
  const [vendor = name] = name.split('/');
  return {
    ...{ name, vendor, kind, warning, configured: warning === null },
    capabilities: facts ? { ...facts, takes: [...facts.takes], efforts: [...facts.efforts] } : null,
    states: states.filter(({ model }) => model === name).map(toListedState),
  };
}

function toListedState({ connectionId, failures, openUntil, errorCode, failedAt }: ModelState) {
  const isOver = openUntil !== null && openUntil.getTime() <= Date.now();
  const circuit: ListedModel['states'][number]['circuit'] =
    openUntil === null ? 'closed' : isOver ? 'half_open' : 'open';
  return {
    ...{ connectionId, circuit, failures, errorCode },
    openUntil: openUntil?.toISOString() ?? null,
    failedAt: failedAt.toISOString(),
  };
}
