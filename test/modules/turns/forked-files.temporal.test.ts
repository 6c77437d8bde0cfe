import { expect, test } from 'vitest';
import { createResultFileStore } from '../../../src/modules/files/create-result-file-store.ts';
import { createTurnRemovalRepository } from '../../../src/modules/retention/turn-removal-repository.ts';
import { forkInputSchema } from '../../../src/modules/turns/forks/fork.ts';
import { deleteConversation } from '../../../src/modules/turns/conversations/delete-conversation.ts';
import { forkConversation } from '../../../src/modules/turns/forks/fork-conversation.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { startTurnLab } from '../../labs/turn-lab.ts';
import { startScriptedServer } from '../../servers/mcp-servers.ts';

const picture = Buffer.from('not quite a picture');

const lab = openForTests(async () => {
  const image = { type: 'image' as const, mimeType: 'image/png', data: picture.toString('base64') };
  const server = await startScriptedServer({ draw: () => ({ content: [image] }) });
  const opened = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
  const close = async () => {
    await opened.close();
    await server.close();
  };
  return { ...opened, close };
});

/** A conversation of a turn with a file, and a later turn. */
async function record() {
  const scene = await lab.scene({ tools: [mcpTool('draw', { effect: 'read_only' })] });
  scene.reply({ toolCalls: [{ name: 'draw', arguments: {} }] }, { text: 'Drawn.' }, { text: 'Seen.' });
  const drawn = await scene.say('Draw.');
  await lab.waitForOutcome(drawn);
  const later = await scene.say('Look.');
  await lab.waitForOutcome(later);
  return { scene, drawn, later };
}

async function fork(parentId: string, input: object): Promise<string> {
  const request = { parentId, input: forkInputSchema.parse(input) };
  const { conversation, turn } = await forkConversation(lab.turns, lab, request);
  if (turn) await lab.waitForOutcome(turn.id);
  return conversation.id;
}

async function readFile(turnId: string): Promise<Buffer> {
  const { toolCalls } = await lab.readTurn(turnId);
  const [part] = (toolCalls[0]?.content as { content: { blobId: string }[] }).content;
  const { bytes } = await createResultFileStore(lab).get({
    workspaceId: lab.workspaceId,
    id: part?.blobId ?? '',
  });
  return Buffer.from(bytes);
}

async function firstTurn(conversationId: string): Promise<string> {
  const rows = lab.database.system('turns').where({ conversation_id: conversationId }).orderBy('ordinal');
  return (await rows.first<{ id: string }>('id')).id;
}

const remove = (conversationId: string) => deleteConversation(lab, lab, conversationId);

async function removeRows(conversationId: string): Promise<void> {
  await lab.database.inWorkspace(lab.workspaceId, (trx) =>
    createTurnRemovalRepository(trx).removeTurns({ conversationId }, 50),
  );
}

const countFiles = async () => (await lab.database.system('files')).length;

test('a fork keeps the files of its copied results when its parent is removed, and they go with the last copy', async () => {
  const { scene, drawn, later } = await record();
  const [whole, other] = [
    await fork(scene.conversationId, { turnId: later, run: false }),
    await fork(scene.conversationId, { turnId: later, run: false }),
  ];
  scene.reply({ text: 'Drawn again.' });
  const step = await fork(scene.conversationId, { turnId: drawn, iteration: 1 });
  scene.reply({ text: 'And again.' });
  const below = await fork(step, { turnId: await firstTurn(step), iteration: 1 });
  const copies = await Promise.all([whole, other, step, below].map(firstTurn));
  const [inWhole = '', inOther = '', inStep = '', inBelow = ''] = copies;
  for (const turnId of copies) expect(await readFile(turnId)).toEqual(picture);

  await remove(scene.conversationId);
  expect(await readFile(inWhole)).toEqual(picture);
  await removeRows(scene.conversationId);
  for (const turnId of copies) expect(await readFile(turnId)).toEqual(picture);
  expect(await countFiles()).toBe(1);

  for (const [gone, left] of [
    [step, [inBelow, inWhole, inOther]],
    [whole, [inBelow, inOther]],
    [other, [inBelow]],
  ] as const) {
    await remove(gone);
    await removeRows(gone);
    for (const turnId of left) expect(await readFile(turnId)).toEqual(picture);
  }
  expect(inStep).not.toBe(inBelow);
  await remove(below);
  await removeRows(below);
  expect(await countFiles()).toBe(0);
});

test('a file of a deleted conversation without forks is not found, and is removed with it', async () => {
  const { scene, drawn } = await record();
  const edited = await lab.readTurn(drawn);
  scene.reply({ text: 'It is blue.' });
  await fork(scene.conversationId, {
    ...{ turnId: drawn, iteration: 1 },
    toolResults: [{ toolCallId: edited.toolCalls[0]?.id, result: 'A blue picture.' }],
  });
  const { toolCalls } = edited;
  const [part] = (toolCalls[0]?.content as { content: { blobId: string }[] }).content;
  await remove(scene.conversationId);

  const get = createResultFileStore(lab).get({ workspaceId: lab.workspaceId, id: part?.blobId ?? '' });
  await expect(get).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await removeRows(scene.conversationId);
  expect(await countFiles()).toBe(0);
});
