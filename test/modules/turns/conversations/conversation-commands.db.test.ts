import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';
import { compactRows } from '../../../labs/compact-rows.ts';
import { createLine } from '../../../labs/recording-lines.ts';
import { createShop, exportLines, holdConversation } from '../../../labs/recording-scene.ts';
import { runCli } from '../../../labs/run-cli.ts';

let api: Api;
let cwd: string;
beforeAll(async () => {
  api = await shareApi();
  cwd = await mkdtemp(path.join(tmpdir(), 'recordings-'));
});

function run(words: string[], key = api.key) {
  const environment = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: key };
  return runCli(['conversations', ...words], { environment, cwd });
}

test('conversations export writes a masked file, which conversations import stores elsewhere', async () => {
  const agentId = await createShop(api);
  const turns = [
    { message: 'I am Ann Miller, ann@example.com', arguments: { expression: 'Ann Miller' }, result: '42' },
    { message: 'And ANN@example.com?' },
  ];
  await holdConversation(api, { agentId, turns, tags: ['vip'] });
  await holdConversation(api, { agentId, turns: [{ message: 'Hello' }] });
  const rules = {
    paths: [{ path: 'steps[].toolCalls[].arguments.expression', name: 'person' }],
    patterns: ['email'],
  };
  await writeFile(path.join(cwd, 'rules.json'), JSON.stringify(rules));
  await writeFile(
    path.join(cwd, 'mask.mjs'),
    'export default (line) => ({ ...line, agent: { ...line.agent, name: "Somebody" } });',
  );

  const filter = ['--agent', 'Shop', '--tag', 'vip', '--out', 'vip.jsonl'];
  const exported = await run(['export', ...filter, '--mask', 'rules.json', '--mask-function', 'mask.mjs']);
  expect(exported).toEqual({ code: 0, stdout: '', stderr: '2 turns exported, 3 values masked.\n' });
  const text = await readFile(path.join(cwd, 'vip.jsonl'), 'utf8');
  expect(text).toContain('I am <person-1>, <email-1>');
  expect(text).toContain('And <email-1>?');
  expect(text).toContain('"name":"Somebody"');
  expect(text).not.toMatch(/Ann Miller|ann@/i);
  expect((await stat(path.join(cwd, 'vip.jsonl'))).mode & 0o777).toBe(0o600);
  expect((await readdir(cwd)).filter((name) => name.endsWith('.part'))).toEqual([]);

  const other = await api.createWorkspace();
  const imported = await run(['import', 'vip.jsonl'], other.key);
  expect(imported).toMatchObject({ code: 0, stderr: '' });
  expect(imported.stdout).toMatch(/^2 turns imported\.\n {2}agent .* Somebody \(imported, version 1\)\n$/);
  expect((await run(['import', 'vip.jsonl'], other.key)).stdout).toBe(
    '0 turns imported, 2 imported before.\n',
  );
  const again = await run(['export'], other.key);
  expect(again.stdout.split('\n')).toHaveLength(3);
});

test('conversations import reads the formats of other programs', async () => {
  const { key } = await api.createWorkspace();
  const chat = {
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi.' },
    ],
  };
  await writeFile(path.join(cwd, 'chat.jsonl'), `${JSON.stringify(chat)}\n`);
  const words = [
    'import',
    'chat.jsonl',
    '--format',
    'openai',
    '--model',
    'demo',
    '--name',
    'Old bot',
    '--json',
  ];
  const { code, stdout } = await run(words, key);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    imported: 1,
    agents: [{ name: 'Old bot (imported, version 1)' }],
  });
  expect(await exportLines(api, '', key)).toMatchObject([
    { agent: { model: 'demo' }, message: { text: 'Hello' }, turn: { answer: 'Hi.' } },
  ]);
});

test('conversations context shows what the next model call would see, and how the conversation was shortened', async () => {
  const agentId = await createShop(api);
  const turns = [{ message: 'How much?', result: '7'.repeat(3_000), answer: 'So much.' }];
  const id = await holdConversation(api, { agentId, turns });
  expect((await run(['context', id])).stdout).not.toContain('Shortened');

  const started = await api.call('POST', `/api/conversations/${id}/turns`, { body: { message: 'And now?' } });
  const turnId = started.data.turn.id;
  const start = { throughOrdinal: 0, throughOffset: 0, referencesThrough: 1, summaryId: null };
  await compactRows(api.database, api.workspaceId, { turnId, kind: 'references', start, references: 1 });
  const { code, stdout } = await run(['context', id]);
  expect(code).toBe(0);
  const [head, ...lines] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/^demo {2}about \d+ of 100000 tokens {2}oldest_first$/);
  expect(lines).toEqual([
    '1 result replaced by references.',
    'Tools: calculate',
    '  user       How much?',
    '  assistant  Let me see. calculate(6 * 7)',
    expect.stringMatching(/^ {2}tool {7}\[The result of calculate, 3000 bytes, is left out here/),
    '  assistant  So much.',
    '  user       And now?',
    'Shortened, the newest first:',
    expect.stringMatching(new RegExp(`^  \\S+  turn ${turnId}  references  100 to 50 tokens$`)),
  ]);
  const json = JSON.parse((await run(['context', id, '--json'])).stdout) as object;
  expect(json).toMatchObject({ turnId, leftOut: { turns: 0, results: 1 } });
});

test('lines that are refused and files that cannot be read are reported', async () => {
  const { key } = await api.createWorkspace();
  await writeFile(path.join(cwd, 'broken.jsonl'), `${createLine('broken', 1)}\n\n{}\n`);
  const refused = await run(['import', 'broken.jsonl'], key);
  expect(refused).toMatchObject({ code: 1, stderr: '' });
  expect(refused.stdout).toMatch(/^1 turn imported, 1 refused\.\n.*\n {2}line 3: schemaVersion: .*\n$/);
  expect(await run(['import', 'missing.jsonl'], key)).toMatchObject({ code: 1, stdout: '' });
  const unknown = await run(['import', 'broken.jsonl', '--format', 'other'], key);
  expect(unknown.stderr).toBe(
    '--format: expected one of holdfast, openai, ai-sdk, langfuse; found "other"\n',
  );
  await writeFile(path.join(cwd, 'wrong.json'), '{"patterns":["names"]}');
  const wrong = await run(['export', '--mask', 'wrong.json', '--out', 'never.jsonl'], key);
  expect(wrong.stderr).toContain('masking rules: patterns: expected one of email');
  expect(await readdir(cwd)).not.toContain('never.jsonl');
});
