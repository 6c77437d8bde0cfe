import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import { plainAgent, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { expectRefusal } from '../../labs/expect-refusal.ts';
import { importTea, teaFiles, writeInstructions } from '../../labs/skill-files.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

describe('an agent', () => {
  const create = (skills: unknown, more: object = {}) =>
    api.call('POST', '/api/agents', { body: { ...plainAgent, skills, ...more } });

  test('has the versions of skills that it names, with their names and descriptions', async () => {
    const { skill } = await importTea(api);
    const { data } = await create([{ skillId: skill.id, version: 1 }]);
    const pinned = { skillId: skill.id, version: 1, name: skill.name, description: skill.description };
    expect(data.agent).toMatchObject({ version: 1, skills: [pinned], tools: [] });
    await importTea(api, { ...teaFiles, 'SKILL.md': writeInstructions({ name: skill.name, body: 'New.' }) });
    const path = `/api/agents/${data.agent.id}`;
    expect((await api.call('GET', path)).data.agent).toMatchObject({ version: 1, skills: [pinned] });
    const renamed = await api.call('PATCH', path, { body: { name: 'Renamed' } });
    expect(renamed.data.agent).toMatchObject({ version: 2, skills: [pinned] });
    const taken = await api.call('PATCH', path, { body: { skills: [{ skillId: skill.id, version: 2 }] } });
    expect(taken.data.agent).toMatchObject({ version: 3, skills: [{ ...pinned, version: 2 }] });
    const { data: old } = await api.call('GET', `${path}/versions/1`);
    expect(old.version).toMatchObject({ skills: [pinned] });
    const configuration = await api.call('GET', `${path}/configuration`);
    expect(configuration.data).toMatchObject({
      configuration: { config: { skills: [{ skillId: skill.id, version: 2 }] } },
    });
    const provisioned = await api.call('POST', `${path}/provision`, {
      body: { config: { skills: [{ skillId: skill.id, version: 1 }] } },
    });
    expect(provisioned.data.agent).toMatchObject({ version: 4, skills: [pinned] });
    const kept = await api.call('POST', `${path}/provision`, { body: {} });
    expect(kept.data.agent).toMatchObject({ version: 5, skills: [pinned] });
  });

  test('is refused skills that there are not, and the same one twice', async () => {
    const { skill } = await importTea(api);
    const pin = { skillId: skill.id, version: 1 };
    await expectRefusal(api, () => create([pin, { skillId: newId(), version: 1 }]), {
      details: [{ field: 'skills.1' }],
    });
    await expectRefusal(api, () => create([{ ...pin, version: 2 }]), { details: [{ field: 'skills.0' }] });
    await expectRefusal(api, () => create([pin, pin]), { details: [{ field: 'skills.1' }] });
    const { key } = await api.createWorkspace();
    const other = await importTea(api, undefined, { key });
    await expectRefusal(api, () => create([{ skillId: other.skill.id, version: 1 }]), {
      details: [{ field: 'skills.0' }],
    });
  });

  test('is refused descriptions that are too long together', async () => {
    const description = 'x'.repeat(1024);
    const pins = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const files = { 'SKILL.md': writeInstructions({ name: `tea-${newId()}`, description }) };
        const { skill } = await importTea(api, files);
        return { skillId: skill.id, version: 1 };
      }),
    );
    await expectRefusal(api, () => create(pins), { details: [{ field: 'skills' }] });
    expect((await create(pins.slice(0, 10))).status).toBe(201);
  });

  test('is given skills only by a key that may read them', async () => {
    const { skill } = await importTea(api);
    const key = await api.createKey(api.workspaceId, ['agents:read', 'agents:write']);
    const body = { ...plainAgent, skills: [{ skillId: skill.id, version: 1 }] };
    await expectRefusal(api, () => api.call('POST', '/api/agents', { body, key }), {
      ...{ status: 403, code: 'FORBIDDEN' },
      details: { missingScopes: ['skills:read'] },
    });
    expect((await api.call('POST', '/api/agents', { body: plainAgent, key })).status).toBe(201);
  });

  test('cannot be given the tools that read skills, nor others of their names', async () => {
    const { skill } = await importTea(api);
    const pins = [{ skillId: skill.id, version: 1 }];
    for (const name of ['load_skill', 'read_skill_resource']) {
      const tool = { type: 'function', name, description: '', schema: { type: 'object' }, config: {} };
      await expectRefusal(api, () => create([], { tools: [tool] }), {
        details: [{ field: 'tools.0.config.functionName' }],
      });
      const own = { ...tool, config: { runs: 'client' } };
      await expectRefusal(api, () => create(pins, { tools: [own] }), { details: [{ field: 'skills' }] });
      const { data } = await create(pins);
      await expectRefusal(api, () => api.call('POST', `/api/agents/${data.agent.id}/tools`, { body: own }), {
        status: 409,
        code: 'CONFLICT',
      });
      const forged = { ...tool, config: { skills: pins } };
      await expectRefusal(api, () => create(pins, { tools: [forged] }), {
        details: [{ field: 'tools.0.config.skills' }],
      });
    }
    const { data } = await api.call('GET', '/api/functions');
    expect(data.functions.map(({ name }) => name)).not.toContain('load_skill');
  });

  test('may have rules about the tools that read skills, as long as it has skills', async () => {
    const { skill } = await importTea(api);
    const rules = { toolPolicies: { load_skill: { approval: 'always_ask' } }, toolAllowlist: ['load_skill'] };
    await expectRefusal(api, () => create([], { rules }), {
      details: [{ field: 'rules.toolPolicies.load_skill' }, { field: 'rules.toolAllowlist.0' }],
    });
    const { data } = await create([{ skillId: skill.id, version: 1 }], { rules });
    expect(data.agent.warnings ?? []).toEqual([]);
    const without = await api.call('PATCH', `/api/agents/${data.agent.id}`, { body: { skills: [] } });
    expect(without.data.agent.rules.forLater).toEqual(['load_skill']);
  });
});
