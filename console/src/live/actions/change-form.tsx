import { useState } from 'react';
import type { JsonObject, JsonValue } from '../../api/types.ts';
import { isJsonObject } from '../../ui/json-object.ts';
import { Button } from '../../ui/button.tsx';
import { Difference } from '../../ui/difference.tsx';
import { Field } from '../../ui/field.tsx';
import { listDifferences } from '../../ui/json-difference.ts';
import { Buttons, Form } from '../../ui/section.tsx';
import type { AskedAction } from './asked-action.ts';
import styles from './actions.module.css';
import type { Deciding } from './use-decide.ts';

interface ChangeFormProps {
  action: AskedAction;
  deciding: Deciding;
}

/** Approves a call with other arguments, and shows first what differs from those that the agent has proposed. */
export function ChangeForm({ action, deciding }: ChangeFormProps) {
  const { proposed, toArguments } = toChangeable(action);
  const [text, setText] = useState(() => JSON.stringify(proposed, null, 2));
  const { changed, error } = parseArguments(text);
  const isChanged = changed !== null && listDifferences(proposed, changed).length > 0;
  return (
    <Form
      onSubmit={() => {
        if (isChanged) deciding.mutate({ decision: 'approve', arguments: toArguments(changed) });
      }}
    >
      <Field
        label="Arguments as JSON"
        rows={Math.min(Math.max(text.split('\n').length, 4), 16)}
        isCode
        value={text}
        onChange={setText}
        error={error}
      />
      {isChanged ? (
        <Difference label="What you change" before={proposed} after={changed} />
      ) : (
        error === undefined && <p className={styles.quiet}>You have not changed anything yet.</p>
      )}
      <Buttons>
        <Button kind="main" type="submit" isDisabled={!isChanged} isPending={deciding.isPending}>
          Approve with these
        </Button>
      </Buttons>
    </Form>
  );
}

/** Of a call behind a gateway only `args` may be changed, and not which tool is called there. */
function toChangeable({ target, arguments: given }: AskedAction) {
  const inner = given['args'];
  if (target === null || !isJsonObject(inner))
    return { proposed: given, toArguments: (changed: JsonObject) => changed };
  return { proposed: inner, toArguments: (changed: JsonObject) => ({ ...given, args: changed }) };
}

function parseArguments(text: string): { changed: JsonObject | null; error: string | undefined } {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (isJsonObject(value)) return { changed: value, error: undefined };
    return { changed: null, error: 'Expected an object, such as { "name": "value" }.' };
  } catch (error) {
    return { changed: null, error: `This is not JSON: ${(error as SyntaxError).message}` };
  }
}
