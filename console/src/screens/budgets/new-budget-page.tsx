import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form, Sections } from '../../ui/section.tsx';
import { AmountFields } from './amount-fields.tsx';
import { isOfOne, newDraft, toBudgetBody, type BudgetDraft } from './budget-draft.ts';
import styles from './budgets.module.css';

/** Creates a budget. */
export function Page() {
  if (!useMay()('budgets:write')) return <Empty title="You cannot create budgets" />;
  return (
    <Frame title="New budget">
      <Sections>
        <NewBudgetForm />
      </Sections>
    </Frame>
  );
}

function NewBudgetForm() {
  const [draft, setDraft] = useState(newDraft);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => holdfast.budgets.create(toBudgetBody(draft)),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['budgets'] });
      await navigate({ to: '/budgets/$budgetId', params: { budgetId: id } });
    },
  });
  const errors = toFieldErrors(create.error);
  const onChange = (change: Partial<BudgetDraft>) => setDraft((before) => ({ ...before, ...change }));
  const isComplete = draft.dollars.trim() !== '' && (!isOfOne(draft.whose) || draft.subject.trim() !== '');
  return (
    <Form onSubmit={() => create.mutate()}>
      <div className={styles.form}>
        <WhoseFields draft={draft} onChange={onChange} error={errors['subject']} />
        <Choice
          label="Lasts"
          value={draft.period}
          options={periods}
          onChange={(period) => onChange({ period })}
        />
        <AmountFields {...draft} errors={errors} onChange={onChange} />
        <p className={styles.quiet}>
          What was spent before in the present period counts. A model without a price is not called where a
          budget counts its calls.
        </p>
        <Problem error={create.error} />
        <Buttons>
          <Button kind="main" type="submit" isPending={create.isPending} isDisabled={!isComplete}>
            Create
          </Button>
        </Buttons>
      </div>
    </Form>
  );
}

interface WhoseFieldsProps {
  draft: BudgetDraft;
  onChange: (change: Partial<BudgetDraft>) => void;
  error: string | undefined;
}

const whoses = [
  { value: 'workspace', text: 'The whole workspace' },
  { value: 'agent', text: 'One agent' },
  { value: 'each agent', text: 'Each agent, the amount for itself' },
  { value: 'user', text: 'One person' },
  { value: 'each user', text: 'Each person, the amount for themselves' },
  { value: 'conversation', text: 'One conversation' },
  { value: 'each conversation', text: 'Each conversation, the amount for itself' },
  { value: 'swarm', text: 'One swarm' },
] as const;

const periods = [
  { value: 'day', text: 'Each day (UTC) anew' },
  { value: 'month', text: 'Each month (UTC) anew' },
  { value: 'total', text: 'In total, it never begins anew' },
] as const;

function WhoseFields({ draft: { whose, subject }, onChange, error }: WhoseFieldsProps) {
  const names = useAgentNames();
  const set = (text: string) => onChange({ subject: text });
  return (
    <>
      <Choice
        label="Counts the calls of"
        value={whose}
        options={whoses}
        onChange={(next) => onChange({ whose: next, subject: '' })}
      />
      {whose === 'agent' && (
        <NamedChoice label="Agent" value={subject} names={names} onChange={set} error={error} />
      )}
      {whose === 'user' && <Field label="Person" value={subject} onChange={set} error={error} isRequired />}
      {whose === 'conversation' && (
        <Field label="Conversation (id)" value={subject} onChange={set} error={error} isRequired />
      )}
      {whose === 'swarm' && (
        <Field label="Swarm (id)" value={subject} onChange={set} error={error} isRequired />
      )}
    </>
  );
}
