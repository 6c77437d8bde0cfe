import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createListOption } from '../../../src/clients/cli/list-option.ts';
import { createProgram } from '../../../src/main/create-program.ts';

function parse(option: ReturnType<typeof createListOption>, words: string[]) {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  command.argument('[rest...]').addOption(option).parse(words, { from: 'user' });
  return { ...command.opts<{ events?: string[] }>(), rest: command.args };
}

const create = () => createListOption('--event, --events <types...>', 'such as issues.opened');
const events = (...words: string[]) => parse(create(), words).events;

describe('an option with several values', () => {
  it.for([
    [['--event', 'a', '--event', 'b']],
    [['--events', 'a,b']],
    [['--event', 'a', 'b']],
    [['--events', 'a', '--event', ' b ']],
    [['--event=a,b']],
  ] as const)('takes them as %j', ([words]) => {
    expect(events(...words)).toEqual(['a', 'b']);
  });

  it('keeps a comma behind a backslash', () => {
    expect(events('--event', String.raw`Sales\, EMEA`, '--event', 'b')).toEqual(['Sales, EMEA', 'b']);
  });

  it('has its defaults only when it is not given', () => {
    const withDefaults = () => createListOption('--event, --events <types...>', '', { defaults: ['*'] });
    expect(parse(withDefaults(), []).events).toEqual(['*']);
    expect(parse(withDefaults(), ['--event', 'a', '--event', 'b']).events).toEqual(['a', 'b']);
  });

  it('refuses an empty value, which an unset variable of a script makes', () => {
    for (const text of ['', 'a,', ',']) expect(() => events('--event', text)).toThrow('found an empty one');
  });

  it('leaves what follows to the command when one text holds all values', () => {
    const option = createListOption('--event, --events <types>', '');
    expect(parse(option, ['--events', 'a,b', 'https://example.com'])).toEqual({
      events: ['a', 'b'],
      rest: ['https://example.com'],
    });
  });

  it('cuts texts that hold commas where the next one begins', () => {
    const option = createListOption('--event, --events <types...>', '', { separator: /,(?=\d=)/ });
    expect(parse(option, ['--events', '1=a, b,2=c', '3=']).events).toEqual(['1=a, b', '2=c', '3=']);
  });
});

it('every option of every command that takes several values is such an option', async () => {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  const variadic = all(await createProgram('1.0.0')).flatMap(({ options }) =>
    options.filter((option) => option.variadic),
  );
  expect(variadic.length).toBeGreaterThan(10);
  for (const { flags, parseArg } of variadic)
    expect({ flags, has: parseArg !== undefined }).toEqual({ flags, has: true });
});
