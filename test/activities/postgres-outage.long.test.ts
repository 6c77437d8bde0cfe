import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { mcpTool } from '../labs/lab-tools.ts';
import { createMeeting } from '../labs/meeting.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../servers/mcp-servers.ts';
import { startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts';

/** Longer than all attempts of a step with their pauses. */
const awayMs = 12_000;

describe.concurrent('while Postgres cannot be reached', { timeout: 120_000 }, () => {
  let proxy: TcpProxy;
  let lab: TurnLab;
  let server: ScriptedServer;
  const away = Promise.withResolvers<undefined>();
  const reached: string[] = [];
  const outage = createMeeting(async () => {
    await proxy.cut();
    away.resolve(undefined);
    await sleep(awayMs);
    await proxy.mend();
  });

  beforeAll(async () => {
    proxy = await startTcpProxy(inject('postgresUrl'));
    server = await startScriptedServer({
      pay: async () => {
        reached.push('pay');
        await away.promise;
        return textResult('paid');
      },
    });
    lab = await startTurnLab({ databasePort: proxy.port, mcpServers: { lab: { url: server.url } } });
  });

  afterAll(async () => {
    await lab.close();
    await Promise.all([server.close(), proxy.close()]);
  });

  test.for(executionModes)(
    'the result of a tool that must not run again is kept in %s execution',
    async (execution, context) => {
      const scene = await lab.scene({ execution, tools: [mcpTool('pay')] });
      scene.reply({ toolCalls: [{ name: 'pay', arguments: {} }] }, { text: 'It is paid.' });
      const before = reached.length;
      const turnId = await scene.say('Pay.');
      while (reached.length === before) await sleep(10);
      await outage.arrive(context);
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({ outcome: 'completed', answer: 'It is paid.' });
      expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1, result: 'paid' }]);
    },
  );

  test.for(executionModes)(
    'the answer of a model is kept in %s execution, and not paid for again',
    async (execution, context) => {
      const scene = await lab.scene({ execution });
      scene.reply({ text: 'This took a while to say.', chunkDelayMs: 600 });
      const turnId = await scene.say('Tell me.');
      await scene.waitForRequest(1);
      await outage.arrive(context);
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({ outcome: 'completed', answer: 'This took a while to say.' });
      expect(scene.requests()).toHaveLength(1);
    },
  );

  test.for(executionModes)(
    'a turn that is started in %s execution waits for it and completes',
    async (execution, context) => {
      const scene = await lab.scene({ execution });
      scene.reply({ text: 'Here again.' });
      const { turnId, start } = await scene.submit('Are you there?');
      const mended = outage.arrive(context);
      await away.promise;
      if (start) await lab.engine.startTurn(start);
      await mended;

      expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed', answer: 'Here again.' });
    },
  );
});
