import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLanguageModelCaller } from '../../src/models/create-language-model-caller.ts';
import { startScriptedModel, type ScriptedModel } from '../servers/scripted-model.ts';
import { createModelCall, weatherTool } from '../fixtures/model-call.ts';

const model = 'compatible/meta-llama/Llama-3';
let scripted: ScriptedModel;

beforeEach(async () => {
  scripted = await startScriptedModel();
});

afterEach(async () => {
  await scripted.close();
});

function createCaller(apiKey?: string) {
  return createLanguageModelCaller({ compatible: { baseUrl: scripted.baseUrl, apiKey } });
}

test('a compatible model gets the settings of an agent', async () => {
  scripted.reply({ text: 'Fine.' });
  const { call } = createModelCall({
    model,
    tools: [weatherTool],
    topP: 0.7,
    reasoningEffort: 'high',
    toolChoice: 'required',
    parallelToolCalls: false,
    providerOptions: { compatible: { seed: 7 } },
  });
  await createCaller()(call);
  expect(scripted.requests[0]?.body).toMatchObject({
    top_p: 0.7,
    reasoning_effort: 'high',
    tool_choice: 'required',
    parallel_tool_calls: false,
    seed: 7,
  });
});
