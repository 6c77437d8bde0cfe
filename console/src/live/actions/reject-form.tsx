import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import type { Deciding } from './use-decide.ts';

/** Rejects a call or a question, with a reason. */
export function RejectForm({ deciding, text = 'Reject' }: { deciding: Deciding; text?: string }) {
  const [written, setWritten] = useState('');
  const reason = written.trim();
  return (
    <Form onSubmit={() => deciding.mutate({ decision: 'reject', ...(reason === '' ? {} : { reason }) })}>
      <Field label="Reason, which the agent reads" value={written} onChange={setWritten} />
      <Buttons>
        <Button kind="bad" type="submit" isPending={deciding.isPending}>
          {text}
        </Button>
      </Buttons>
    </Form>
  );
}
