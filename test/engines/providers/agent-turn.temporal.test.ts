import { expect, test } from 'vitest';
import { startVendorServer } from '../../servers/vendor-server.ts';
import { connect, openProviderLab, testAgentTurns, toTools } from './agent-turn-lab.ts';

const lab = openProviderLab();

// One with files and bodies of JSON, one of GraphQL, one with forms and errors inside a 200, and one with repeated fields in
// forms, variables in its address and links to pages. The long tests have all.
testAgentTurns(lab, ['google-drive', 'linear', 'slack', 'twilio']);

test('gives the vendor’s error message to the model, which can continue', async () => {
  const server = await startVendorServer(() => ({ body: { ok: false, error: 'channel_not_found' } }));
  try {
    const connectionId = await connect(lab, 'slack', server.url);
    const tools = (await toTools('slack', connectionId)).slice(0, 1);
    const scene = await lab.scene({ tools });
    scene.reply(
      { toolCalls: [{ name: 'slack_sendMessage', arguments: { channel: 'C404', text: 'Hello' } }] },
      { text: 'There is no such channel.' },
    );
    const turn = await lab.waitForOutcome(await scene.say('Say hello.'));
    expect(turn.answer).toBe('There is no such channel.');
    const told = scene.requests()[1]?.body.messages.at(-1);
    expect([told?.role, told?.content]).toEqual([
      'tool',
      expect.stringContaining('Slack: channel_not_found') as string,
    ]);
    expect(server.requests).toHaveLength(1);
  } finally {
    await server.close();
  }
});
