import { createConfig, lintFromString, stringifyYaml } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { findSameNames } from './find-same-names.ts';

/**
 * Returns each violation of the rules `recommended` of Redocly and `oas` of Spectral in an OpenAPI document, with the linter,
 * the rule, the message and the place; warnings are violations too. So are two schemas that generators of clients name alike.
 */
export async function lintOpenApi(document: object): Promise<string[]> {
  return [...(await runRedocly(document)), ...(await runSpectral(document)), ...findSameNames(document)];
}

async function runRedocly(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: stringifyYaml(document), config });
  return problems.map(({ ruleId, message, location }) => {
    const pointer = location[0]?.pointer ?? '#/';
    return `redocly ${ruleId}: ${message} (${pointer})`;
  });
}

async function runSpectral(document: object): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  // The published type of `oas` lacks a field that `RulesetDefinition` marks as required.
  spectral.setRuleset({ extends: [oas as RulesetDefinition] });
  const problems = await spectral.run(JSON.stringify(document));
  return problems.map(({ code, message, path }) => `spectral ${code}: ${message} (#/${path.join('/')})`);
}
