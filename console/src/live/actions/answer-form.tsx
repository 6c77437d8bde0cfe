import { useState } from 'react';
import { toFieldErrors } from '../../api/client.ts';
import type { JsonValue } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import styles from './actions.module.css';
import { toAnswer, toAnswerFields, toPlainAnswer, type AnswerField } from './answer-fields.ts';
import type { AskedAction } from './asked-action.ts';
import { RejectForm } from './reject-form.tsx';
import type { Deciding } from './use-decide.ts';

interface AnswerFormProps {
  action: AskedAction;
  deciding: Deciding;
}

/** Answers a question: by one of its options, the fields of its schema, or a text. */
export function AnswerForm({ action, deciding }: AnswerFormProps) {
  const { options, schema, url } = action;
  const fields = toAnswerFields(schema);
  const answer = (value: JsonValue) => deciding.mutate({ decision: 'answer', answer: value });
  return (
    <div className={styles.answer}>
      {url !== null && <Address url={url} />}
      {options !== null && options.length > 0 ? (
        <div className={styles.buttons} role="group" aria-label="Answers">
          {options.map((option) => (
            <Button key={option} isPending={deciding.isPending} onPress={() => answer(option)}>
              {option}
            </Button>
          ))}
        </div>
      ) : fields.length > 0 ? (
        <FieldsForm fields={fields} deciding={deciding} onAnswer={answer} />
      ) : (
        <TextForm deciding={deciding} onAnswer={(text) => answer(toPlainAnswer(text, schema))} />
      )}
      {url === null && <Decline deciding={deciding} />}
    </div>
  );
}

/** The address that a server wants a person to open, in full. One that no browser opens as a page is a text. */
function Address({ url }: { url: string }) {
  if (!/^https?:/i.test(url)) return <p className={styles.address}>{url}</p>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={styles.address}>
      {url}
    </a>
  );
}

interface TextFormProps {
  deciding: Deciding;
  onAnswer: (text: string) => void;
}

function TextForm({ deciding, onAnswer }: TextFormProps) {
  const [text, setText] = useState('');
  return (
    <Form onSubmit={() => onAnswer(text)}>
      <Field label="Your answer" rows={2} value={text} onChange={setText} />
      <Buttons>
        <Button kind="main" type="submit" isPending={deciding.isPending} isDisabled={text.trim() === ''}>
          Answer
        </Button>
      </Buttons>
    </Form>
  );
}

interface FieldsFormProps {
  fields: readonly AnswerField[];
  deciding: Deciding;
  onAnswer: (answer: JsonValue) => void;
}

function FieldsForm({ fields, deciding, onAnswer }: FieldsFormProps) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map(({ name, initial }) => [name, initial])),
  );
  const errors = toFieldErrors(deciding.error);
  return (
    <Form onSubmit={() => onAnswer(toAnswer(fields, texts))}>
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={texts[field.name] ?? ''}
          error={errors[`answer.${field.name}`]}
          onChange={(text) => setTexts({ ...texts, [field.name]: text })}
        />
      ))}
      <Buttons>
        <Button kind="main" type="submit" isPending={deciding.isPending}>
          Answer
        </Button>
      </Buttons>
    </Form>
  );
}

interface OneFieldProps {
  field: AnswerField;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

function OneField({ field: { label, hint, kind, options, isRequired }, ...props }: OneFieldProps) {
  const name = isRequired ? label : `${label} (optional)`;
  if (options.length > 0) {
    const none = { value: '', text: isRequired ? 'Choose one' : 'No answer' };
    return <Choice label={name} options={[none, ...options]} value={props.value} onChange={props.onChange} />;
  }
  return (
    <Field
      label={name}
      hint={hint}
      isRequired={isRequired}
      {...(kind === 'json' ? { rows: 3, isCode: true } : {})}
      {...(kind === 'number' ? { type: 'number' as const } : {})}
      {...props}
    />
  );
}

/** Lets a person leave a question without an answer. */
function Decline({ deciding }: { deciding: Deciding }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Buttons>
        <Button onPress={() => setOpen(!isOpen)}>Decline …</Button>
      </Buttons>
      {isOpen && <RejectForm deciding={deciding} text="Decline" />}
    </>
  );
}
