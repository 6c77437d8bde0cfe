import type { Knex } from 'knex';
import { createApiKeyText, isSecretOf, parseApiKeyText } from '../../modules/workspaces/keys/api-key-text.ts';
import { scopes } from '../../domain/scope.ts';
import { newId } from '../../platform/lib/ids.ts';
import { connectDatabase } from '../../platform/database/connect-database.ts';
import { getInstallationId } from '../../platform/database/installation-repository.ts';
import { createDemoAgent, demoAgentName } from './demo-agent.ts';
import { createAgentRepository } from '../../modules/agents/agent-repository.ts';
import {
  createApiKeyRepository,
  type StoredApiKey,
} from '../../modules/workspaces/keys/api-key-repository.ts';
import { createConversationRepository } from '../../modules/turns/conversations/conversation-repository.ts';

/** The input of the seed. */
export interface SeedOptions {
  databaseUrl: string;
  /** The key that an earlier start created for this data folder; it is kept while it is valid. */
  existingKey: string | null;
  /** The model of the demo agent. */
  model: string;
  /** Whether the demo MCP servers run. @default true */
  hasServers?: boolean;
}

/** The key and the ids for a first request. */
export interface DevelopmentSeed {
  /** The whole key; only its hash is stored. */
  apiKey: string;
  workspaceId: string;
  agentId: string;
  conversationId: string;
  installationId: string;
}

/** The number of the advisory lock; no other program on the same database uses it. */
const seedLock = 7_042_332;

const workspaceName = 'default';
const conversationTitle = 'First conversation';

/** The demo agent's model for each vendor of models, best first. */
const demoModels = [
  { vendor: 'openai', model: 'openai/gpt-5-mini' },
  { vendor: 'anthropic', model: 'anthropic/claude-haiku-4-5' },
  { vendor: 'google', model: 'google/gemini-2.5-flash' },
];
const keylessModel = 'demo';

type VendorKeys = Readonly<Record<string, { apiKey?: string | undefined } | undefined>>;

/** Returns the demo agent's model: that of the first vendor with a key, or `demo`, which needs no key. */
export function chooseDemoModel(vendors: VendorKeys): string {
  const found = demoModels.find(({ vendor }) => vendors[vendor]?.apiKey !== undefined);
  return found?.model ?? keylessModel;
}

/** Creates the first workspace, its key, its agent and its conversation where they are missing. */
export async function seedDevelopment(options: SeedOptions): Promise<DevelopmentSeed> {
  const database = connectDatabase({ url: options.databaseUrl, poolSize: 1 });
  try {
    return await database.system.transaction(async (lock) => {
      await lock.raw('SELECT pg_advisory_xact_lock(?)', [seedLock]);
      const workspaceId = await ensureWorkspace(database.system);
      const apiKey = await ensureKey(database.system, workspaceId, options.existingKey);
      const demo = await database.inWorkspace(workspaceId, async (trx) => {
        const agentId = await ensureAgent(trx, options);
        return { agentId, conversationId: await ensureConversation(trx, agentId) };
      });
      const installationId = await getInstallationId(database.system);
      return { apiKey, workspaceId, installationId, ...demo };
    });
  } finally {
    await database.close();
  }
}

async function ensureWorkspace(system: Knex): Promise<string> {
  const found = await system<{ id: string; name: string }>('workspaces')
    .where({ name: workspaceName })
    .orderBy('id')
    .first('id');
  if (found) return found.id;
  const id = newId();
  await system('workspaces').insert({ id, name: workspaceName });
  return id;
}

async function ensureKey(system: Knex, workspaceId: string, existing: string | null): Promise<string> {
  const keys = createApiKeyRepository(system);
  const good = existing === null ? null : await findGoodKey(system, workspaceId, existing);
  if (existing !== null && good) {
    // A key that an earlier version created lacks the scopes that were added since.
    await keys.grantScopes(good.id, scopes);
    return existing;
  }
  const id = newId();
  const { text, secretHash } = createApiKeyText(id);
  const key = { id, workspaceId, name: 'development', secretHash, scopes };
  await keys.createApiKey(key);
  return text;
}

async function findGoodKey(system: Knex, workspaceId: string, text: string): Promise<StoredApiKey | null> {
  const given = parseApiKeyText(text);
  const stored = given && (await createApiKeyRepository(system).findApiKey(given.id));
  if (!stored || stored.workspaceId !== workspaceId || stored.revokedAt !== null) return null;
  if (stored.expiresAt !== null && Date.parse(stored.expiresAt) <= Date.now()) return null;
  return isSecretOf(given.secret, stored.secretHash) ? stored : null;
}

/** Updates the agent's model when other keys are set. A model that a person has chosen is kept. */
async function ensureAgent(
  trx: Knex,
  { model, hasServers = true }: Pick<SeedOptions, 'model' | 'hasServers'>,
): Promise<string> {
  const agents = createAgentRepository(trx);
  const found = await trx('agents as a')
    .join('agent_versions as v', (on) => on.on('v.agent_id', 'a.id').andOn('v.version', 'a.current_version'))
    .where('v.name', demoAgentName)
    .whereNull('a.deleted_at')
    .orderBy('a.id')
    .first<{ id: string; model: string } | undefined>('a.id', 'v.model');
  if (!found) return (await agents.createAgent(createDemoAgent(model, { hasServers }))).id;
  const chosen: string[] = [keylessModel, ...demoModels.map((one) => one.model)];
  if (found.model !== model && chosen.includes(found.model)) await agents.updateAgent(found.id, { model });
  return found.id;
}

async function ensureConversation(trx: Knex, agentId: string): Promise<string> {
  const wanted = { agent_id: agentId, title: conversationTitle };
  const found = await trx<{ id: string; agent_id: string; title: string }>('conversations')
    .where(wanted)
    .orderBy('id')
    .first('id');
  if (found) return found.id;
  const opened = await createConversationRepository(trx).createConversation({
    agentId,
    title: conversationTitle,
  });
  return opened.id;
}
