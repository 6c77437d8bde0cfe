import type { Knex } from 'knex';

/** Programs that do not know it cancel what they should post to Slack. */
export const isCompatible = true;

/**
 * A webhook has either a URL or a channel of Slack. `result` of a delivery is what a later one needs of it: the message
 * in the channel that is to be changed when somebody has decided.
 */
const slackChannels = `
ALTER TABLE webhooks
  ALTER COLUMN url DROP NOT NULL,
  ADD COLUMN slack jsonb,
  ADD CHECK ((url IS NULL) <> (slack IS NULL));
ALTER TABLE webhook_deliveries ADD COLUMN result jsonb;
CREATE INDEX webhook_deliveries_asked ON webhook_deliveries (webhook_id, (data ->> 'actionId'))
  WHERE type = 'turn.action_required';
`;

/** Adds channels of Slack as receivers of what waits for people. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(slackChannels);
}
