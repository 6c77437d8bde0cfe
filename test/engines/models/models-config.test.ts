import { expect, test } from 'vitest';
import { checkModelName } from '../../../src/engines/models/model-name.ts';
import { modelsEnvironmentSchema, modelVariables } from '../../../src/engines/models/models-config.ts';
import { hostedVendors } from '../../../src/engines/models/vendor-catalogue.ts';

test('the key and address of each vendor come from the variables of its record', () => {
  const environment = Object.fromEntries(
    modelVariables.map((name) => [name, name.endsWith('_URL') ? `http://${name.toLowerCase()}` : name]),
  );
  const { models } = modelsEnvironmentSchema.parse(environment);
  for (const [prefix, { apiKeyVariable, baseUrlVariable }] of hostedVendors) {
    const baseUrl = baseUrlVariable && `http://${baseUrlVariable.toLowerCase()}`;
    expect(models[prefix]).toEqual({ apiKey: apiKeyVariable, baseUrl });
  }
});

test('without variables there are no keys, and only compatible models have no address', () => {
  const { models } = modelsEnvironmentSchema.parse({});
  for (const [prefix, { publicBaseUrl }] of hostedVendors) {
    expect(models[prefix]).toEqual({ apiKey: undefined, baseUrl: undefined });
    const problem = checkModelName(models, `${prefix}/model`);
    expect(problem === null).toBe(publicBaseUrl !== null);
  }
});

test('an address that is not a URL is refused with the name of its variable', () => {
  const { error } = modelsEnvironmentSchema.safeParse({ OPENAI_BASE_URL: 'nowhere' });
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['OPENAI_BASE_URL']);
});
