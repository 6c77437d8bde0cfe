import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ToolInput } from '../../src/domain/tool.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { createLabKey, startLabApi, type LabApi } from '../labs/lab-api.ts';
import { shareTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let page: ConsoleLab;
let lab: TurnLab;
let api: LabApi;

beforeAll(async () => {
  page = await startConsole();
  lab = await shareTurnLab();
  api = await startLabApi(lab);
});
afterAll(async () => {
  await page.stop();
  await api.stop();
});

const calculate: ToolInput = {
  type: 'function',
  name: 'calculate',
  description: 'Calculates.',
  schema: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
  config: { functionName: 'calculate' },
};

/** Opens the conversation of a new scene in the playground. */
async function open(options: Parameters<TurnLab['scene']>[0] = {}, viewport = { width: 1440, height: 900 }) {
  const scene = await lab.scene(options);
  const opened = await page.open(api, `/playground?conversation=${scene.conversationId}`, { viewport });
  const say = async (text: string) => {
    await opened.getByLabel('Message', { exact: true }).fill(text);
    await opened.getByRole('button', { name: 'Send', disabled: false }).waitFor();
    await opened.keyboard.press('Enter');
  };
  return { ...scene, page: opened, say };
}

describe('the playground', () => {
  test('shows the answer while it streams, what tools do, and the end', async () => {
    const scene = await open({ tools: [calculate] });
    const released = Promise.withResolvers<null>();
    scene.reply(
      { text: 'I calculate it.', toolCalls: [{ name: 'calculate', arguments: { expression: '6 * 7' } }] },
      {
        text: 'The answer is **42**, which took me a while.',
        breakAfterChunks: 4,
        breakWhen: released.promise,
        breakBy: 'reset',
      },
      { text: 'It is **42**.' },
    );
    await scene.say('What is 6 * 7?');
    const article = scene.page.getByRole('article', { name: 'Turn: What is 6 * 7?' });
    await article.getByText('I calculate it.').waitFor();
    await article.getByText('calculate', { exact: true }).waitFor();
    await article.getByText('The answer is').waitFor();
    // The model breaks off: the piece is void, and the next attempt answers.
    released.resolve(null);
    await article.locator('strong', { hasText: '42' }).waitFor();
    await article.getByText('It is').waitFor();
    expect(await article.getByText('The answer is').count()).toBe(0);
    await article.getByRole('button', { name: 'Fork from here' }).waitFor();
    await expectNoBarriers(scene.page);
  });

  test('lets a person change a call before it is approved, by keyboard', async () => {
    const scene = await open({ tools: [{ ...calculate, settings: { approval: 'ask' } }] });
    scene.reply(
      { toolCalls: [{ name: 'calculate', arguments: { expression: '1000 * 2' } }] },
      { text: 'Less.' },
    );
    await scene.say('Calculate.');
    await expectNoBarriers(scene.page);
    const change = scene.page.getByRole('button', { name: 'Change …' });
    await change.focus();
    await scene.page.keyboard.press('Enter');
    await scene.page.keyboard.press('Tab');
    await scene.page.keyboard.press('Tab');
    await scene.page.keyboard.press('ControlOrMeta+A');
    await scene.page.keyboard.type('{"expression":"1 + 1"}');
    await scene.page.keyboard.press('Tab');
    await scene.page.keyboard.press('Enter');
    await scene.page.getByText('Less.').waitFor();
    await scene.page.getByText('The call was approved').waitFor();
    const [, second] = scene.requests();
    expect(second?.body.messages.at(-1)?.content).toContain('2');
  });

  test('steers the running turn, and stops it', async () => {
    const scene = await open();
    const released = Promise.withResolvers<null>();
    scene.reply(
      { text: 'First.', until: released.promise },
      { text: 'Second.' },
      { text: 'Third, at length.', hang: true },
    );
    await scene.say('Begin.');
    await scene.waitForRequest(1);
    await scene.say('And in green.');
    await scene.page.getByText('Waits for the turn before it.').waitFor();
    released.resolve(null);
    await scene.page.getByText('Second.').waitFor();
    await scene.page.getByText('The turn that ran took this message.').waitFor();
    await scene.page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    await scene.say('More.');
    await scene.page.getByText('Third, at length.').waitFor();
    await scene.page.getByRole('button', { name: 'Stop' }).click();
    await scene.page.getByText('cancelled').first().waitFor();
    const { data } = await api.call<{ turns: { status: string }[] }>(
      'GET',
      `/api/conversations/${scene.conversationId}/turns`,
    );
    expect(data.turns.map(({ status }) => status).toSorted()).toEqual(['cancelled', 'completed', 'steered']);
  });

  test('forks from a turn: the new conversation has what was before, and the message is ready to change', async () => {
    const scene = await open();
    scene.reply({ text: 'The first answer.' }, { text: 'The second answer.' });
    await scene.say('First message');
    await scene.page.getByText('The first answer.').waitFor();
    // A message that comes before the end of the turn would steer it.
    await scene.page.getByRole('button', { name: 'Fork from here' }).waitFor();
    await scene.say('Second message');
    await scene.page.getByText('The second answer.').waitFor();
    await scene.page.getByRole('button', { name: 'Fork from here' }).nth(1).click();
    await scene.page.waitForURL((url) => url.searchParams.get('conversation') !== scene.conversationId);
    await scene.page.getByText('The first answer.').waitFor();
    expect(await scene.page.getByText('The second answer.').count()).toBe(0);
    expect(await scene.page.getByLabel('Message', { exact: true }).inputValue()).toBe('Second message');
  });

  test('compares a turn with another version side by side, without tools that run again', async () => {
    const scene = await open({ tools: [calculate], instructions: 'Be brief.' });
    const { agent } = await api.ask<{ agent: { version: number } }>(
      'PATCH',
      `/api/agents/${scene.agent.id}`,
      {
        instructions: 'Be long.',
      },
    );
    expect(agent.version).toBe(2);
    const calls = [{ name: 'calculate', arguments: { expression: '6 * 7' } }];
    scene.reply({ toolCalls: calls }, { text: 'At length: it is 42.' });
    await scene.say('What is 6 * 7?');
    await scene.page.getByText('At length').waitFor();
    await scene.page.getByRole('button', { name: 'Compare …' }).click();
    const dialog = scene.page.getByRole('dialog', { name: 'Compare with another version' });
    const older = dialog.getByRole('option', { name: /^Version 1/ });
    await older.waitFor({ state: 'attached' });
    await dialog.getByLabel('Version').selectOption({ label: (await older.textContent()) ?? '' });
    await expectNoBarriers(scene.page);
    scene.reply({ toolCalls: calls }, { text: 'Just 42!' });
    await dialog.getByRole('button', { name: 'Run it beside this one' }).click();
    const beside = scene.page.getByRole('region', { name: 'The fork beside it' });
    await beside.getByText('Just 42!').waitFor();
    await scene.page
      .getByRole('region', { name: 'Conversation', exact: true })
      .getByText('At length')
      .waitFor();
    await expectNoBarriers(scene.page);
    const instructions = scene.requests().map(({ body }) => body.messages[0]?.content);
    expect(instructions.map((text) => text?.includes('Be brief.'))).toEqual([false, false, true, true]);
    await scene.page.getByRole('button', { name: 'Close the comparison' }).click();
    await beside.waitFor({ state: 'hidden' });
  });

  test('shows a text with script as a text', async () => {
    const scene = await open({ tools: [calculate] });
    const hostile =
      '<img src=x onerror="window.ran=1"><script>window.ran=1</script>[link](javascript:window.ran=1)';
    scene.reply(
      { text: hostile, toolCalls: [{ name: 'calculate', arguments: { expression: hostile } }] },
      { text: `Done ![pixel](https://example.com/pixel.png?${'x'.repeat(10)}) ${hostile}` },
    );
    await scene.say(hostile);
    await scene.page.getByText('Done').waitFor();
    await scene.page.locator('summary', { hasText: 'calculate' }).click();
    for (const link of await scene.page.locator('article a').all())
      expect((await link.getAttribute('href')) ?? '').not.toMatch(/^javascript:/);
    expect(await scene.page.evaluate('window.ran')).toBeUndefined();
    // The image of another site is a link: the page asks no other site for anything, which the lab checks.
    expect(await scene.page.locator('article img').count()).toBe(0);
  });

  test('saves other instructions as a new version, which the next turn has', async () => {
    const scene = await open({ instructions: 'Be brief.' });
    scene.reply({ text: 'Ahoy.' });
    await scene.page.getByLabel('Instructions').fill('Talk like a sailor.');
    await scene.page.getByRole('button', { name: 'Save as version 2' }).click();
    await scene.page.getByText('version 2', { exact: true }).waitFor();
    await scene.say('Hello');
    await scene.page.getByText('Ahoy.').waitFor();
    const [request] = scene.requests();
    expect(JSON.stringify(request?.body.messages)).toContain('Talk like a sailor.');
  });

  test('saves which tools are offered as a new version, by keyboard', async () => {
    const scene = await open({ tools: [calculate, { ...calculate, name: 'count' }] });
    scene.reply({ text: 'I cannot calculate.' });
    await scene.page.getByRole('checkbox', { name: 'calculate' }).focus();
    await scene.page.keyboard.press('Space');
    await scene.page.getByRole('button', { name: 'Save as version 2' }).focus();
    await scene.page.keyboard.press('Enter');
    await scene.page.getByText('version 2', { exact: true }).waitFor();
    await scene.page.getByRole('checkbox', { name: 'calculate', checked: false }).waitFor();
    await expectNoBarriers(scene.page);
    await scene.say('What is 6 * 7?');
    await scene.page.getByText('I cannot calculate.').waitFor();
    const [request] = scene.requests();
    const offered = request?.body.tools as { function: { name: string } }[] | undefined;
    expect(offered?.map((tool) => tool.function.name)).toEqual(['count']);
  });

  test('is good on a phone', async () => {
    const scene = await open({}, { width: 390, height: 844 });
    scene.reply({ text: 'Hello there.' });
    await scene.say('Hi');
    await scene.page.getByText('Hello there.').waitFor();
    const width = await scene.page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
    await expectNoBarriers(scene.page);
  });

  test('shows who may only read the conversation no field to write', async () => {
    const scene = await lab.scene();
    const key = await createLabKey(lab, ['conversations:read', 'agents:read']);
    const opened = await page.open({ url: api.url, key }, `/playground?conversation=${scene.conversationId}`);
    await opened.getByText('There is no page at this address').waitFor();
    expect(await opened.getByLabel('Message', { exact: true }).count()).toBe(0);
  });
});
