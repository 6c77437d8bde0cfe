import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { parseJson } from '../../ui/parse-json.ts';
import { Buttons, Form } from '../../ui/section.tsx';
import { RejectForm } from './reject-form.tsx';
import type { Deciding } from './use-decide.ts';

/** Returns the result of a tool in place of the program that runs it, or says that the tool did not run. */
export function ClientToolForm({ deciding }: { deciding: Deciding }) {
  const [form, setForm] = useState<'result' | 'reject' | null>(null);
  const [text, setText] = useState('');
  const [isError, setError] = useState(false);
  const toggle = (next: typeof form) => () => setForm(form === next ? null : next);
  return (
    <>
      <Buttons>
        <Button onPress={toggle('result')}>Return a result …</Button>
        <Button kind="bad" onPress={toggle('reject')}>
          It did not run …
        </Button>
      </Buttons>
      {form === 'result' && (
        <Form
          onSubmit={() => deciding.mutate({ decision: 'answer', answer: parseJson(text) ?? text, isError })}
        >
          <Field label="Result" hint="JSON, or a text." rows={3} value={text} onChange={setText} />
          <Checkbox label="The tool failed with this" isChecked={isError} onChange={setError} />
          <Buttons>
            <Button kind="main" type="submit" isPending={deciding.isPending}>
              Return it
            </Button>
          </Buttons>
        </Form>
      )}
      {form === 'reject' && <RejectForm deciding={deciding} text="It did not run" />}
    </>
  );
}
