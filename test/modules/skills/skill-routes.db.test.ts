import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSkillRemovalRepository } from '../../../src/modules/skills/skill-removal-repository.ts';
import { sweepDeletedSkills } from '../../../src/modules/skills/skill-sweep.ts';
import { HoldfastError } from '../../../src/domain/errors.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { plainAgent, startApi, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { expectRefusal } from '../../labs/expect-refusal.ts';
import {
  callSkills,
  importTea,
  packTarGz,
  packZip,
  teaFiles,
  toImport,
  toTarEntries,
  writeInstructions,
} from '../../labs/skill-files.ts';
import pino from 'pino';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});
afterAll(() => api.stop());

function upload(archive: Buffer): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(archive)]), 'skill.zip');
  return fetch(`${api.url}/api/skills`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}` },
    body: form,
  });
}

function listAudit(subjectId: string) {
  return api
    .call('GET', `/api/audit-events?subjectId=${subjectId}`)
    .then(
      ({ data }) => (data as unknown as { auditEvents: { type: string; payload: object }[] }).auditEvents,
    );
}

describe('an import', () => {
  test('stores a skill with its files', async () => {
    const name = `tea-${newId()}`;
    const body = toImport({ ...teaFiles, 'SKILL.md': writeInstructions({ name }) });
    const { status, data } = await callSkills(api, 'POST', { body });
    expect(status).toBe(201);
    const { skill, version } = data;
    expect(skill).toMatchObject({ name, version: 1, digest: version.digest });
    expect(version).toMatchObject({
      ...{ skillId: skill.id, version: 1, name, fileCount: 4 },
      body: '# Tea\n\nBoil water. See references/leaves.md.',
      createdBy: { apiKeyId: expect.any(String) as string, actingFor: null },
    });
    expect((await callSkills(api, `GET /${skill.id}`)).data).toEqual({ skill });
    expect((await callSkills(api, `GET /${skill.id}/versions/1`)).data).toEqual({ version });
    expect((await callSkills(api, `GET ?name=${name}`)).data.skills).toEqual([skill]);
    const [event] = await listAudit(skill.id);
    expect(event).toMatchObject({
      type: 'skill.imported',
      payload: { name, version: 1, digest: version.digest, files: 4, bytes: version.bytes },
    });
  });

  test.each([
    ['a ZIP archive', packZip(teaFiles, 'tea-making/')],
    ['a tar archive', packTarGz(toTarEntries(teaFiles, 'tea-making/'))],
  ])('takes %s, and answers the same files with the same version', async (_what, archive) => {
    const answer = await upload(archive);
    const { data } = (await answer.json()) as { data: { skill: { version: number } } };
    expect([200, 201]).toContain(answer.status);
    expect(data.skill.version).toBe(1);
    const again = await callSkills(api, 'POST', { body: toImport(teaFiles) });
    expect([again.status, again.data.version.version]).toEqual([200, 1]);
  });

  test('makes a new version of changed files, and none of those that a version has', async () => {
    const first = await importTea(api);
    const { name, id } = first.skill;
    const changed = { 'SKILL.md': writeInstructions({ name, body: 'Use a kettle.' }) };
    const second = await importTea(api, changed);
    expect(second).toMatchObject({
      skill: { id, version: 2 },
      version: { version: 2, body: 'Use a kettle.' },
    });
    const files = { ...teaFiles, 'SKILL.md': writeInstructions({ name }) };
    const again = await callSkills(api, 'POST', { body: toImport(files) });
    expect([again.status, again.data.skill.version, again.data.version.version]).toEqual([200, 2, 1]);
    const { data } = await callSkills(api, `GET /${id}/versions?limit=1`);
    expect([data.versions.map(({ version }) => version), data.nextCursor]).toEqual([[2], expect.any(String)]);
    const rest = await callSkills(api, `GET /${id}/versions?cursor=${data.nextCursor}`);
    expect([rest.data.versions.map(({ version }) => version), rest.data.nextCursor]).toEqual([[1], null]);
    expect((await listAudit(id)).map(({ type }) => type)).toEqual(['skill.imported', 'skill.imported']);
  });

  test('of the same skill at the same time makes one skill', async () => {
    const name = `tea-${newId()}`;
    const bodies = ['One.', 'Two.', 'Two.', 'Three.'].map((body) => ({
      'SKILL.md': writeInstructions({ name, body }),
    }));
    const answers = await Promise.all(bodies.map((files) => importTea(api, files)));
    expect(new Set(answers.map(({ skill }) => skill.id)).size).toBe(1);
    expect(answers.map(({ version }) => version.version).sort()).toEqual(expect.arrayContaining([1, 2, 3]));
    const { data } = await callSkills(api, `GET /${answers[0]?.skill.id}/versions`);
    expect(data.versions).toHaveLength(3);
  });

  test('is refused with the place of what is wrong, and stores nothing', async () => {
    const files = {
      ...teaFiles,
      '../outside.md': 'x',
      'SKILL.md': writeInstructions({ name: 'refused-tea' }),
    };
    const run = () => callSkills(api, 'POST', { body: toImport(files) });
    await expectRefusal(api, run, {
      status: 400,
      code: 'INVALID_INPUT',
      details: [
        { field: '"../outside.md"', message: expect.stringContaining('leaves its folder') as string },
      ],
    });
    await expectRefusal(api, () => callSkills(api, 'POST', { body: { files: [] } }), {
      details: [{ field: 'files' }],
    });
    const archive = await upload(Buffer.from('no archive'));
    expect([archive.status, ((await archive.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      'INVALID_INPUT',
    ]);
    expect((await callSkills(api, 'GET ?name=refused-tea')).data.skills).toEqual([]);
  });
});

describe('a file', () => {
  test('is read as it was imported', async () => {
    const { skill } = await importTea(api);
    const read = async (path: string) =>
      (await callSkills(api, `GET /${skill.id}/versions/1/file?path=${encodeURIComponent(path)}`)).data.file;
    expect(await read('references/leaves.md')).toMatchObject({
      ...{ path: 'references/leaves.md', mediaType: 'text/markdown', isText: true },
      ...{ text: teaFiles['references/leaves.md'], base64: null },
    });
    const cup = await read('assets/cup.png');
    expect(cup).toMatchObject({ mediaType: 'image/png', isText: false, text: null });
    expect(Buffer.from(cup.base64 ?? '', 'base64')).toEqual(Buffer.from(teaFiles['assets/cup.png'] ?? ''));
    for (const path of ['../SKILL.md', 'references', 'SKILL.md/'])
      await expectRefusal(
        api,
        () => callSkills(api, `GET /${skill.id}/versions/1/file?path=${encodeURIComponent(path)}`),
        { status: 404, code: 'NOT_FOUND' },
      );
  });
});

describe('a deletion', () => {
  test('is refused while an agent uses the skill, and hides it afterwards', async () => {
    const { skill } = await importTea(api);
    const path = `/${skill.id}`;
    const { data } = await api.call('POST', '/api/agents', {
      body: { ...plainAgent, skills: [{ skillId: skill.id, version: 1 }] },
    });
    await expectRefusal(api, () => callSkills(api, `DELETE ${path}`), {
      ...{ status: 409, code: 'CONFLICT' },
      details: { agentIds: [data.agent.id] },
    });
    await api.call('PATCH', `/api/agents/${data.agent.id}`, { body: { skills: [] } });
    expect((await callSkills(api, `DELETE ${path}`)).data).toEqual({ deleted: true });
    for (const hidden of [
      path,
      `${path}/versions`,
      `${path}/versions/1`,
      `${path}/versions/1/file?path=SKILL.md`,
    ])
      await expectRefusal(api, () => callSkills(api, `GET ${hidden}`), { status: 404, code: 'NOT_FOUND' });
    await expectRefusal(api, () => callSkills(api, `DELETE ${path}`), { status: 404, code: 'NOT_FOUND' });
    const body = { skills: [{ skillId: skill.id, version: 1 }] };
    await expectRefusal(api, () => api.call('PATCH', `/api/agents/${data.agent.id}`, { body }), {
      details: [{ field: 'skills.0' }],
    });
    expect((await listAudit(skill.id)).map(({ type }) => type)).toEqual(['skill.deleted', 'skill.imported']);
    const files = { ...teaFiles, 'SKILL.md': writeInstructions({ name: skill.name }) };
    const again = await importTea(api, files);
    expect([again.skill.version, again.skill.id === skill.id]).toEqual([1, false]);
  });

  test('removes the files after 30 days', async () => {
    const [old, fresh] = [await importTea(api), await importTea(api)];
    await importTea(api, { 'SKILL.md': writeInstructions({ name: old.skill.name, body: 'Second.' }) });
    for (const { skill } of [old, fresh]) await callSkills(api, `DELETE /${skill.id}`);
    const { system } = api.database;
    await system('skills')
      .where({ id: old.skill.id })
      .update({ deleted_at: system.raw("now() - interval '31 days'") });
    const run = { isStopped: () => false, logger: pino({ level: 'silent' }) };
    const counts = await sweepDeletedSkills(createSkillRemovalRepository(system), run);
    expect(counts).toEqual({ done: 1, failed: 0 });
    const count = async (table: string, id: string) =>
      Number(
        (
          await system(table)
            .where(table === 'skills' ? { id } : { skill_id: id })
            .count()
        )[0]?.count ?? 0,
      );
    for (const table of ['skills', 'skill_versions', 'skill_files']) {
      expect(await count(table, old.skill.id)).toBe(0);
      expect(await count(table, fresh.skill.id)).toBeGreaterThan(0);
    }
  });
});

test('another workspace may have a skill of the same name', async () => {
  const { skill } = await importTea(api);
  const { key } = await api.createWorkspace();
  const files = { ...teaFiles, 'SKILL.md': writeInstructions({ name: skill.name }) };
  const own = await importTea(api, files, { key });
  expect([own.skill.version, own.skill.id === skill.id]).toEqual([1, false]);
});

test.each([
  ['POST', '', 'skills:write'],
  ['GET', '', 'skills:read'],
  ['GET', '/:id', 'skills:read'],
  ['DELETE', '/:id', 'skills:write'],
  ['GET', '/:id/versions', 'skills:read'],
  ['GET', '/:id/versions/1', 'skills:read'],
  ['GET', '/:id/versions/1/file?path=SKILL.md', 'skills:read'],
] as const)('%s /api/skills%s needs the scope %s', async (method, path, scope) => {
  const key = await api.createKey(api.workspaceId, ['agents:write', 'resources:write']);
  await expectRefusal(api, () => callSkills(api, `${method} ${path.replace(':id', newId())}`, { key }), {
    ...{ status: 403, code: 'FORBIDDEN' },
    details: { missingScopes: [scope] },
  });
});

test('a virus scanner sees each file before it is stored', async () => {
  const names: (string | null)[] = [];
  const scanFile = (name: string | null) => {
    names.push(name);
    const finish = () =>
      name === 'assets/cup.png'
        ? Promise.reject(new HoldfastError('FILE_REFUSED', 'It is no cup.'))
        : Promise.resolve();
    return { write: () => Promise.resolve(), finish, cancel: () => undefined };
  };
  const scanned = await startApi({ scanFile });
  try {
    const { status, error } = await callSkills(scanned, 'POST', { body: toImport(teaFiles) });
    expect([status, error.code, names]).toEqual([422, 'FILE_REFUSED', ['SKILL.md', 'assets/cup.png']]);
    expect((await callSkills(scanned, 'GET')).data.skills).toEqual([]);
  } finally {
    await scanned.stop();
  }
});
