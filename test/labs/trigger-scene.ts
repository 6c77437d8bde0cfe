import type {
  Trigger,
  TriggerDelivery,
  TriggerDeliveryDetails,
  TriggerInput,
} from '../../src/modules/triggers/trigger.ts';
import { openConversation, startApi } from './api-lab.ts';
import { deliver, type HookReply, type VendorDelivery } from './vendor-deliveries.ts';
import { eventually } from './eventually.ts';

/** Makes a request that has to succeed, and returns its data. */
type Ask = <Data>(method: string, path: string, body?: unknown) => Promise<Data>;

/** Triggers over an API, and deliveries to them. */
export function createTriggerScene(ask: Ask) {
  const read = async (triggerId: string, id: string) => {
    const path = `/api/triggers/${triggerId}/deliveries/${id}`;
    return (await ask<{ delivery: TriggerDeliveryDetails }>('GET', path)).delivery;
  };
  return {
    /** Creates a trigger; `secret` is the one that was made for it. */
    create: (
      input: Partial<Omit<TriggerInput, 'action'>> & { action: object },
    ): Promise<{ trigger: Trigger; secret: string | null }> =>
      ask('POST', '/api/triggers', { name: 'Triage', provider: 'github', events: ['*'], ...input }),
    list: async (triggerId: string): Promise<TriggerDelivery[]> => {
      const path = `/api/triggers/${triggerId}/deliveries`;
      return (await ask<{ deliveries: TriggerDelivery[] }>('GET', path)).deliveries;
    },
    read,
    /** Sends a delivery, and waits until it has started something, or has ended otherwise. */
    deliver: async ({ id, url }: Trigger, delivery: VendorDelivery): Promise<TriggerDeliveryDetails> => {
      const reply = await deliver(url, delivery);
      return eventually(
        () => read(id, toDeliveryId(reply)),
        ({ status }) => status !== 'accepted',
      );
    },
  };
}

/** The id of a stored delivery. @throws Error when the hook has refused it */
export function toDeliveryId({ status, body }: HookReply): string {
  if (status === 200 && body.deliveryId !== undefined) return body.deliveryId;
  throw new Error(`the delivery was answered with ${status}: ${JSON.stringify(body)}`);
}

/** The secret by which deliveries to the triggers of a hook scene are signed. */
export const hookSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

/** The webhook payload of GitHub for a new issue. */
export const newIssue = {
  action: 'opened',
  issue: { number: 7, title: 'It breaks' },
  sender: { type: 'User' },
};

/** An API with an agent, whose turns and routines do not run, and triggers that start them. */
export async function startHookScene(overrides: Parameters<typeof startApi>[0] = {}) {
  const api = await startApi(overrides);
  const { agentId } = await openConversation(api);
  const ask: Ask = async (method, path, body) => {
    const { status, data, error } = await api.call(method, path, { body });
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(error)}`);
    return data as never;
  };
  const scene = createTriggerScene(ask);
  return {
    ...{ api, agentId, ask },
    ...scene,
    /** Creates a trigger of GitHub that starts turns of the agent. */
    createTrigger: async (action: object = {}, change: object = {}): Promise<Trigger> => {
      const made = { kind: 'turn', agentId, message: 'Look at {{ .issue.title }}', ...action };
      return (await scene.create({ secret: hookSecret, action: made, ...change })).trigger;
    },
    readMessages: async (conversationId: string | null): Promise<string[]> => {
      const { data } = await api.call('GET', `/api/conversations/${conversationId}/messages`);
      return data.messages.map(({ text }) => text);
    },
    countTurns: async (conversationId: string | null): Promise<number> => {
      const turns = await api.database.system('turns').where({ conversation_id: conversationId });
      return turns.length;
    },
  };
}

export type HookScene = Awaited<ReturnType<typeof startHookScene>>;
