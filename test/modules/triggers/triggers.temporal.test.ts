import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import { startLabApi } from '../../labs/lab-api.ts';
import { createTriggerScene } from '../../labs/trigger-scene.ts';
import { startTurnLab } from '../../labs/turn-lab.ts';
import { deliver, fromSlack } from '../../labs/vendor-deliveries.ts';

const secret = 'a-secret-of-the-vendor';

test('a thread of Slack is one conversation with the agent, and a delivery that comes again changes nothing', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await startTurnLab();
  stack.defer(lab.close);
  const api = await startLabApi(lab);
  stack.defer(api.stop);
  const scene = await lab.scene();
  const triggers = createTriggerScene(api.ask);
  const { trigger } = await triggers.create({
    ...{ provider: 'slack', secret, events: ['app_mention', 'message'] },
    action: {
      kind: 'turn',
      agentId: scene.agent.id,
      conversationKey: '{{ .event.channel }} {{ .event.thread_ts // .event.ts }}',
      message: '{{ .event.text }}',
    },
  });
  scene.reply({ text: 'It is 42.' }, { text: 'Twice 42 is 84.' });
  const event = { type: 'app_mention', channel: 'C1', user: 'U1', ts: '1.1', text: 'What is 6 * 7?' };
  const asked = fromSlack({ secret, payload: { type: 'event_callback', event_id: newId(), event } });
  const first = await triggers.deliver(trigger, asked);
  expect(await lab.waitUntilSettled(first.turnId ?? '')).toMatchObject({ answer: 'It is 42.' });
  await deliver(trigger.url, asked);
  const reply = { ...event, type: 'message', ts: '1.2', thread_ts: '1.1', text: 'And twice that?' };
  const second = await triggers.deliver(
    trigger,
    fromSlack({ secret, payload: { event_id: newId(), event: reply } }),
  );
  expect(await lab.waitUntilSettled(second.turnId ?? '')).toMatchObject({
    ...{ answer: 'Twice 42 is 84.', conversationId: first.conversationId },
  });
  const texts = scene
    .requests()
    .at(-1)
    ?.body.messages.map(({ content }: { content?: unknown }) => content);
  expect(texts?.slice(-3)).toEqual(['What is 6 * 7?', 'It is 42.', 'And twice that?']);
});
