import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import styles from './actions.module.css';
import type { AskedAction } from './asked-action.ts';
import { listPins, type Pin } from './pins.ts';
import type { Deciding } from './use-decide.ts';

interface RememberFormProps {
  action: AskedAction;
  deciding: Deciding;
}

const scopes = [
  { value: 'conversation', text: 'in this conversation' },
  { value: 'agent', text: 'of this agent' },
  { value: 'workspace', text: 'of every agent' },
] as const;

const times = [
  { value: '1', text: 'for an hour' },
  { value: '24', text: 'for a day' },
  { value: '168', text: 'for a week' },
  { value: '720', text: 'for 30 days' },
  { value: '8760', text: 'for a year' },
] as const;

/** Approves a call and later ones that are like it: those with the same values for the chosen arguments. */
export function RememberForm({ action, deciding }: RememberFormProps) {
  const all = listPins(action.arguments);
  const [pinned, setPinned] = useState<ReadonlySet<string>>(new Set(all.map(({ path }) => path)));
  const [scope, setScope] = useState<(typeof scopes)[number]['value']>('conversation');
  const [hours, setHours] = useState<(typeof times)[number]['value']>('24');
  const pins = Object.fromEntries(
    all.filter(({ path }) => pinned.has(path)).map(({ path, value }) => [path, value]),
  );
  const remember = () =>
    deciding.mutate({
      decision: 'approve',
      remember: { tool: action.tool, pins, scope, until: toTime(Number(hours)) },
    });
  return (
    <Form onSubmit={remember}>
      <p>
        Later calls of <code>{action.target ?? action.tool}</code> run without asking when they have the same
        values for what is checked here. {pinned.size === 0 && 'Nothing is: every call runs without asking.'}
      </p>
      <PinChoice pins={all} pinned={pinned} onChange={setPinned} />
      <div className={styles.row}>
        <Choice label="Calls" value={scope} options={scopes} onChange={setScope} />
        <Choice label="Time" value={hours} options={times} onChange={setHours} />
      </div>
      <Buttons>
        <Button kind="main" type="submit" isPending={deciding.isPending}>
          Approve and remember
        </Button>
      </Buttons>
    </Form>
  );
}

const toTime = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

interface PinChoiceProps {
  pins: readonly Pin[];
  pinned: ReadonlySet<string>;
  onChange: (pinned: ReadonlySet<string>) => void;
}

function PinChoice({ pins, pinned, onChange }: PinChoiceProps) {
  if (pins.length === 0) return null;
  return (
    <fieldset className={styles.pins}>
      <legend className={styles.quiet}>The same</legend>
      {pins.map(({ path, value }) => (
        <Checkbox
          key={path}
          label={path}
          hint={toBeginning(typeof value === 'string' ? value : JSON.stringify(value))}
          isChecked={pinned.has(path)}
          onChange={(isChecked) =>
            onChange(new Set(isChecked ? [...pinned, path] : [...pinned].filter((one) => one !== path)))
          }
        />
      ))}
    </fieldset>
  );
}

const toBeginning = (text: string) => (text.length > 120 ? `${text.slice(0, 120)} …` : text);
