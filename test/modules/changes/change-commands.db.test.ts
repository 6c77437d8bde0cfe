import { expect, test } from 'vitest';
import { openConversation, startTurn } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { spawnCli } from '../../labs/run-cli.ts';

test.each([false, true])('the command prints changes until Ctrl-C (as JSON: %s)', async (json) => {
  const api = await shareApi();
  const environment = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key };
  const run = spawnCli(['changes', ...(json ? ['--json'] : [])], { environment });
  await run.shows(json ? '{"type":"reset","lastEventId":' : 'Earlier changes are not known.\n');
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  await run.shows(
    json ? `{"type":"turn","id":"${turnId}","status":"running"` : `turn              ${turnId}  running\n`,
  );
  run.child.kill('SIGINT');
  expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
});
