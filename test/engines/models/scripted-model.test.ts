import { expect, test } from 'vitest';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { startScriptedModel, type ScriptedModel } from '../../servers/scripted-model.ts';
import { createModelCall } from '../../fixtures/model-call.ts';

async function ask(scripted: ScriptedModel, text: string) {
  const callModel = createLanguageModelCaller({ compatible: { baseUrl: scripted.baseUrl } });
  const messages = [{ role: 'user' as const, text }];
  return callModel(createModelCall({ model: 'compatible/m', messages }).call);
}

test('the scripted model fails a test that sends more requests than the script has', async () => {
  const scripted = await startScriptedModel();
  await expect(ask(scripted, 'surprise')).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  expect(() => scripted.assertExhausted()).toThrow(/request 1 had no script entry.*surprise/);
  await expect(scripted.close({ allowUnused: true })).rejects.toThrow('disagree');
});

test('the scripted model fails a test that leaves entries over, unless that is allowed', async () => {
  const strict = await startScriptedModel();
  strict.reply({ text: 'unused' });
  await expect(strict.close()).rejects.toThrow('1 script entries were not used');
  const lenient = await startScriptedModel();
  lenient.reply({ text: 'unused' });
  await lenient.close({ allowUnused: true });
});

test('the scripted model matches entries to concurrent conversations', async () => {
  const scripted = await startScriptedModel();
  scripted.reply(
    { text: 'for b', when: (body) => body.messages.at(-1)?.content === 'b' },
    { text: 'for a', when: (body) => body.messages.at(-1)?.content === 'a', delayMs: 20 },
  );
  const answers = await Promise.all([ask(scripted, 'a'), ask(scripted, 'b')]);
  expect(answers.map(({ text }) => text)).toEqual(['for a', 'for b']);
  await scripted.close();
});

test('the scripted model can create an entry from the request', async () => {
  const scripted = await startScriptedModel();
  scripted.reply((body) => ({ text: `You said ${body.messages.at(-1)?.content ?? ''}` }));
  expect((await ask(scripted, 'moin')).text).toBe('You said moin');
  const request = await scripted.waitForRequest(1);
  await request.closed;
  expect(request.aborted).toBe(false);
  await scripted.close();
});
