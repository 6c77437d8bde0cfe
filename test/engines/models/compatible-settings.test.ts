import { expect, onTestFinished, test } from 'vitest';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { startScriptedModel } from '../../servers/scripted-model.ts';
import { createModelCall, weatherTool } from '../../fixtures/model-call.ts';

test('a compatible model gets the settings of an agent', async () => {
  const scripted = await startScriptedModel();
  onTestFinished(() => scripted.close());
  scripted.reply({ text: 'Fine.' });
  const { call } = createModelCall({
    model: 'compatible/qwen3',
    tools: [weatherTool],
    topP: 0.7,
    reasoningEffort: 'high',
    toolChoice: 'required',
    parallelToolCalls: false,
    providerOptions: { compatible: { seed: 7 } },
  });
  await createLanguageModelCaller({ compatible: { baseUrl: scripted.baseUrl } })(call);
  expect(scripted.requests[0]?.body).toMatchObject({
    top_p: 0.7,
    reasoning_effort: 'high',
    tool_choice: 'required',
    parallel_tool_calls: false,
    seed: 7,
  });
});

test('a compatible model is told nothing of parallel calls when it gets no tools', async () => {
  const scripted = await startScriptedModel();
  onTestFinished(() => scripted.close());
  scripted.reply({ text: 'Fine.' }, { text: 'Fine.' });
  const callModel = createLanguageModelCaller({ compatible: { baseUrl: scripted.baseUrl } });
  const settings = { model: 'compatible/qwen3', parallelToolCalls: false };
  await callModel(createModelCall(settings).call);
  await callModel(createModelCall({ ...settings, tools: [weatherTool], toolChoice: 'none' }).call);
  for (const { body } of scripted.requests) expect(body).not.toHaveProperty('parallel_tool_calls');
});
