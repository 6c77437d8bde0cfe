import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createTriggerRepository } from './trigger-repository.ts';
import { toActorRef, type Actor } from '../../domain/actor.ts';
import { createInvalidInput } from '../../domain/errors.ts';
import { replaceSecret } from '../../domain/rotated-secrets.ts';
import type { Trigger, TriggerSecret } from './trigger.ts';
import { toRowScope } from '../../domain/row-scope.ts';
import { authorizeUse, withUrl } from './change-trigger.ts';
import { findSender } from './find-sender.ts';
import type { TriggerDependencies } from './trigger-dependencies.ts';
import { chooseSecret, openTriggerSecrets, sealTriggerSecrets } from './trigger-secrets.ts';

/**
 * Sets the secret of a trigger, or gives it a new one. Deliveries may be signed by the present one for the time of the
 * overlap. `secret` is null when the request has it.
 * @throws HoldfastError `NOT_FOUND`; `INVALID_INPUT` without a secret that the vendor makes; `CONFLICT` while five
 * replaced secrets count; `FORBIDDEN`, `SECRETS_UNAVAILABLE`
 */
export async function rotateTriggerSecret(
  dependencies: Pick<TriggerDependencies, 'database' | 'keyRing' | 'publicUrl'>,
  actor: Actor,
  { secret: given, overlapMs, ...named }: TriggerSecret & { id: string },
): Promise<{ trigger: Trigger; secret: string | null }> {
  const { database, keyRing } = dependencies;
  const { workspaceId } = actor;
  return database.inWorkspace(toRowScope(actor), async (trx) => {
    const triggers = createTriggerRepository(trx);
    const { trigger, sealed } = await triggers.getForUpdate(named.id);
    const makers = await authorizeUse(trx, actor, { trigger });
    const sender = findSender(trigger);
    const chosen = chooseSecret(sender, given);
    if (!chosen) throw createInvalidInput([{ field: 'secret', message: `expected that of ${sender.title}` }]);
    // The stored id is in lower case; a caller may write it in capitals.
    const { id } = trigger;
    const { secret, isNew } = chosen;
    const present = sealed && openTriggerSecrets(keyRing, { id, workspaceId, sealed });
    const secrets = present ? replaceSecret(present, { secret, overlapMs }) : { secret, old: [] };
    const sealedSecrets = sealTriggerSecrets(keyRing, { id, workspaceId }, secrets);
    const changed = await triggers.changeSecrets(id, sealedSecrets, makers);
    const payload = { overlap_ms: overlapMs };
    const by = toActorRef(actor, undefined);
    await createAuditLog(trx).record({ type: 'trigger.secret_rotated', subjectId: id, payload, by });
    return { trigger: withUrl(dependencies, changed), secret: isNew ? secret : null };
  });
}
