import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { CallDialogue, ServerAnswer, ServerQuestion } from '../../../src/domain/question.ts';
import {
  cleanups,
  eventually,
  openManager,
  openScriptedManager,
  openScriptedServer,
  openTemporaryFolder,
} from '../../labs/mcp-manager-lab.ts';
import { everythingEntry, httpEntry, startEverything, textResult } from '../../servers/mcp-servers.ts';

const form = { type: 'object' as const, properties: { name: { type: 'string' as const } } };

/** A person who answers each question as a test says, and remembers it. */
function createPerson(answer: (question: ServerQuestion) => ServerAnswer | Promise<ServerAnswer>) {
  const asked: ServerQuestion[] = [];
  const dialogue: CallDialogue = {
    resumed: null,
    ask: async (question) => {
      asked.push(question);
      return answer(question);
    },
  };
  return { asked, dialogue };
}

function accept(name: string): ServerAnswer {
  return { action: 'accept', content: { name } };
}

describe('a server that asks during a call', () => {
  it('gets the answer of the person whose call it is, while others run over the same session', async () => {
    const { call, server } = await openScriptedManager({
      greet: async ({ arguments: input, elicit }) => {
        const { content } = await elicit({
          message: `Who is ${String(input['id'])}?`,
          requestedSchema: form,
        });
        return textResult(`${String(input['id'])} is ${String(content?.['name'])}`);
      },
    });
    const ids = Array.from({ length: 10 }, (_, index) => `person ${index}`);
    const results = await Promise.all(
      ids.map((id, index) => {
        const { dialogue } = createPerson(async ({ message }) => {
          await sleep((ids.length - index) * 10);
          return accept(message === `Who is ${id}?` ? id.toUpperCase() : 'somebody else');
        });
        return call('greet', { arguments: { id }, dialogue });
      }),
    );

    expect(results.map((result) => 'text' in result && result.text)).toEqual(
      ids.map((id) => `${id} is ${id.toUpperCase()}`),
    );
    expect(server.sessionsOpened()).toBe(1);
  });

  it('is answered aside of its call only when no other call can be meant', async () => {
    const waiting = Promise.withResolvers<undefined>();
    const { call } = await openScriptedManager({
      wait: async () => {
        await waiting.promise;
        return textResult('waited');
      },
      greet: async ({ elicitAside }) =>
        textResult((await elicitAside({ message: 'Who?', requestedSchema: form })).action),
    });
    const alone = createPerson(() => accept('Ada'));
    expect(await call('greet', { dialogue: alone.dialogue })).toMatchObject({ text: 'accept' });

    const other = createPerson(() => accept('Ada'));
    const held = call('wait', { dialogue: other.dialogue });
    expect(await call('greet', { dialogue: alone.dialogue })).toMatchObject({ text: 'cancel' });
    waiting.resolve(undefined);
    await held;
    expect(other.asked).toEqual([]);
  });

  it('is told that nobody answers when nobody can be asked', async () => {
    const { call } = await openScriptedManager({
      greet: async ({ elicit }) =>
        textResult((await elicit({ message: 'Who?', requestedSchema: form })).action),
    });
    expect(await call('greet')).toMatchObject({ text: 'cancel' });
  });

  it('may show addresses of the web only', async () => {
    const { call } = await openScriptedManager({
      open: async ({ arguments: { url }, elicit }) => {
        const asked = { mode: 'url' as const, message: 'Open it.', url: String(url), elicitationId: '1' };
        return textResult((await elicit(asked)).action);
      },
    });
    const { asked, dialogue } = createPerson(() => ({ action: 'accept' }));
    const open = (url: string) => call('open', { arguments: { url }, dialogue });

    expect(await open('https://example.com/consent')).toMatchObject({ text: 'accept' });
    expect(await open('javascript:alert(1)')).toMatchObject({ text: 'cancel' });
    expect(asked).toMatchObject([{ server: 'own', url: 'https://example.com/consent' }]);
  });

  it('shows nobody the credentials that it was called with', async () => {
    const token = 'a-long-token-of-the-operator';
    const server = await openScriptedServer({
      greet: async ({ elicit }) =>
        textResult((await elicit({ message: `Is ${token} yours?`, requestedSchema: form })).action),
    });
    const manager = openManager({ own: httpEntry(server.url, { authorization: `Bearer ${token}` }) });
    const { asked, dialogue } = createPerson(() => accept('Ada'));
    await manager.callTool({ target: { server: 'own' }, tool: 'greet', arguments: {}, dialogue });

    expect(asked).toHaveLength(1);
    expect(JSON.stringify(asked)).not.toContain(token);
  });

  it('shows no characters that a person does not see, and no endless message', async () => {
    const message = `\u001b[31mWho\u0000\u202e?${'!'.repeat(5_000)}`;
    const { call } = await openScriptedManager({
      greet: async ({ elicit }) => textResult((await elicit({ message, requestedSchema: form })).action),
    });
    const { asked, dialogue } = createPerson(() => accept('Ada'));
    await call('greet', { dialogue });

    expect(asked[0]?.message).toMatch(/^\[31mWho\?!+…$/);
    expect(asked[0]?.message).toHaveLength(4_000);
  });

  it('takes back a question when its call ends first', async () => {
    let isOver = false;
    const { call } = await openScriptedManager({
      hasty: ({ elicit }) => {
        void elicit({ message: 'Who?', requestedSchema: form }).catch(() => undefined);
        return new Promise((resolve) => {
          setTimeout(() => resolve(textResult('done')), 50);
        });
      },
    });
    const dialogue: CallDialogue = {
      resumed: null,
      ask: (_question, { over }) =>
        new Promise((resolve) => {
          over.addEventListener('abort', () => {
            isOver = true;
            resolve({ action: 'cancel' });
          });
        }),
    };

    expect(await call('hasty', { dialogue })).toMatchObject({ text: 'done' });
    await eventually(() => isOver);
  });
});

describe('the reference server "everything"', () => {
  it.each(['HTTP', 'stdio'])('asks by a form over %s', async (transport) => {
    const manager = openManager({ everything: await openEverything(transport) });
    const { asked, dialogue } = createPerson(() => accept('Ada'));
    const result = await manager.callTool({
      ...{ target: { server: 'everything' }, tool: 'trigger-elicitation-request', arguments: {} },
      dialogue,
    });

    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ server: 'everything', url: null, schema: { type: 'object' } });
    expect(result).toMatchObject({ status: 'succeeded' });
    expect('text' in result && result.text).toContain('Ada');
  });
});

async function openEverything(transport: string) {
  if (transport === 'stdio') return everythingEntry(await openTemporaryFolder());
  const everything = await startEverything();
  cleanups.push(() => everything.kill());
  return httpEntry(everything.url);
}
