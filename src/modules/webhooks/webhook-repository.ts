import type { Knex } from 'knex';
import type { ActorRef } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { SlackApprover, SlackChannel, Webhook, WebhookEvent } from '../../domain/webhook.ts';
import { isUuid } from '../../domain/uuid.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';

interface WebhookRow {
  id: string;
  workspace_id: string;
  url: string | null;
  slack: SlackChannel | null;
  approvers: SlackApprover[];
  events: WebhookEvent[];
  sealed: Buffer | null;
  key_id: string | null;
  old_secrets_until: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
  created_by: ActorRef | null;
  deleted_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** A sealed value, and the id of its key. */
interface SealedValue {
  sealed: Buffer;
  keyId: string;
}

/** A webhook before it is stored. */
interface NewWebhook {
  id: string;
  /** Either the URL or the channel is set. */
  url: string | null;
  slack: SlackChannel | null;
  approvers: readonly SlackApprover[];
  events: WebhookEvent[];
  secrets: SealedValue;
  createdBy: ActorRef;
}

/** Values of a webhook to write; those that are left out stay as they are. */
interface WebhookValues {
  url?: string | undefined;
  slack?: SlackChannel;
  approvers?: readonly SlackApprover[] | undefined;
  events?: WebhookEvent[] | undefined;
  secrets?: SealedValue;
  oldSecretsUntil?: Date | null;
  /** The actor that takes the place of its maker. */
  createdBy?: ActorRef;
  changedBy: ActorRef;
  /** Whether messages that were posted before decide nothing any more. @default false */
  endsPosted?: boolean;
}

/** A webhook with its sealed secrets and its maker; null for one that was made before makers were noted. */
export interface StoredWebhook {
  webhook: Webhook;
  sealed: Buffer;
  createdBy: ActorRef | null;
}

/** The webhooks of one workspace, their secrets sealed. */
export function createWebhookRepository(trx: Knex) {
  const rows = () => trx<WebhookRow>('webhooks').whereNull('deleted_at');
  const update = async (id: string, change: object): Promise<Webhook> => {
    const [row] = await rows()
      .where({ id })
      .update({ ...change, updated_at: trx.fn.now() })
      .returning<WebhookRow[]>('*');
    if (!row) throw webhookNotFound(id);
    return toWebhook(row);
  };
  return {
    createWebhook: (webhook: NewWebhook): Promise<Webhook> => insertWebhook(trx, webhook),

    countWebhooks: async (): Promise<number> => {
      const [counted] = await rows().count<{ count: number }[]>();
      return counted?.count ?? 0;
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getWebhook: async (id: string): Promise<Webhook> => {
      const row = await rows().where({ id }).first();
      if (!row) throw webhookNotFound(id);
      return toWebhook(row);
    },

    /** Locks the row until the transaction ends. @throws HoldfastError `NOT_FOUND` */
    getForUpdate: async (id: string): Promise<StoredWebhook> => {
      const row = await rows().where({ id }).forUpdate().first();
      if (!row?.sealed) throw webhookNotFound(id);
      return { webhook: toWebhook(row), sealed: row.sealed, createdBy: row.created_by };
    },

    /** Newest first. */
    listWebhooks: async ({ cursor, limit }: PageRequest): Promise<Page<Webhook>> => {
      const query = rows().orderBy('id', 'desc');
      if (cursor) void query.where('id', '<', cursor);
      return toPage(await query.limit(limit + 1), limit, toWebhook);
    },

    /** @throws HoldfastError `NOT_FOUND` */
    updateWebhook: (id: string, { endsPosted = false, ...values }: WebhookValues): Promise<Webhook> =>
      update(id, { ...toColumns(values), ...(endsPosted ? { decides_since: trx.fn.now() } : {}) }),

    /** @throws HoldfastError `NOT_FOUND` */
    enableWebhook: (id: string): Promise<Webhook> => update(id, { disabled_at: null, disabled_reason: null }),

    /** Disables a webhook, unless it is disabled already, and cancels what waits to be delivered. False when it was. */
    disableWebhook: async (id: string, reason: string): Promise<boolean> => {
      const disabled = await rows()
        .where({ id, disabled_at: null })
        .update({ disabled_at: trx.fn.now(), disabled_reason: reason, updated_at: trx.fn.now() });
      await cancelDeliveries(trx, id);
      return disabled > 0;
    },

    /** Deletes a webhook with its secrets; its deliveries are removed later. @throws HoldfastError `NOT_FOUND` */
    deleteWebhook: async (id: string): Promise<Webhook> => {
      const now = trx.fn.now();
      const deleted = await update(id, { deleted_at: now, disabled_at: now, sealed: null, key_id: null });
      await cancelDeliveries(trx, id);
      return deleted;
    },
  };
}

async function insertWebhook(
  trx: Knex,
  { id, url, slack, events, secrets, approvers, createdBy }: NewWebhook,
): Promise<Webhook> {
  const [row] = await trx('webhooks')
    .insert({
      ...{ id, url, events, sealed: secrets.sealed, key_id: secrets.keyId },
      slack: slack && JSON.stringify(slack),
      approvers: JSON.stringify(approvers),
      created_by: JSON.stringify(createdBy),
      decides_since: slack && trx.fn.now(),
    })
    .returning<WebhookRow[]>('*');
  if (!row) throw new Error('an inserted webhook did not come back');
  return toWebhook(row);
}

function toColumns({
  url,
  slack,
  approvers,
  events,
  secrets,
  oldSecretsUntil,
  createdBy,
  changedBy,
}: WebhookValues): object {
  return {
    changed_by: JSON.stringify(changedBy),
    ...(createdBy === undefined ? {} : { created_by: JSON.stringify(createdBy) }),
    ...(approvers === undefined ? {} : { approvers: JSON.stringify(approvers) }),
    ...(url === undefined ? {} : { url }),
    ...(slack === undefined ? {} : { slack: JSON.stringify(slack) }),
    ...(events === undefined ? {} : { events }),
    ...(oldSecretsUntil === undefined ? {} : { old_secrets_until: oldSecretsUntil }),
    ...(secrets === undefined ? {} : { sealed: secrets.sealed, key_id: secrets.keyId }),
  };
}

/** Finds an enabled channel of Slack in any workspace, with its sealed secrets; needs the system database. */
export async function findSlackChannel(
  system: Knex,
  id: string,
): Promise<{ id: string; workspaceId: string; sealed: Buffer } | null> {
  if (!isUuid(id)) return null;
  const row = await system<WebhookRow>('webhooks')
    .where({ id, disabled_at: null, deleted_at: null })
    .whereNotNull('slack')
    .first();
  return row?.sealed ? { id: row.id, workspaceId: row.workspace_id, sealed: row.sealed } : null;
}

async function cancelDeliveries(trx: Knex, webhookId: string): Promise<void> {
  await trx('webhook_deliveries')
    .where({ webhook_id: webhookId, status: 'pending' })
    .update({ status: 'cancelled', ended_at: trx.fn.now() });
}

function toWebhook(row: WebhookRow): Webhook {
  const until = row.old_secrets_until;
  return {
    id: row.id,
    url: row.url,
    slack: row.slack && { ...row.slack, approvers: row.approvers },
    events: row.events,
    enabled: row.disabled_at === null,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    disabledReason: row.disabled_reason,
    oldSecretsUntil: until && until.getTime() > Date.now() ? until.toISOString() : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function webhookNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no webhook ${id}.`);
}
