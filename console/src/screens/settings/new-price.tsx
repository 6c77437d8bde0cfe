import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toFieldErrors } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import { setPrice, type Price } from './prices.ts';

/** The button that opens the form of a price. */
export function NewPriceButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Set a price …</Button>
      {isOpen && <NewPrice onClose={() => setOpen(false)} />}
    </>
  );
}

const fields = [
  { name: 'input', label: 'Input, a million tokens', isRequired: true },
  { name: 'output', label: 'Output, a million tokens', isRequired: true },
  { name: 'cacheRead', label: 'Read from the cache, a million tokens', isRequired: false },
  { name: 'cacheWrite', label: 'Written to the cache, a million tokens', isRequired: false },
  { name: 'perCall', label: 'A call', isRequired: false },
] as const;

/** Sets the price of a model, in US dollars. */
function NewPrice({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [model, setModel] = useState('');
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const save = useMutation({
    mutationFn: () => setPrice(model.trim(), toPrice(texts)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['prices'] });
      onClose();
    },
  });
  const errors = toFieldErrors(save.error);
  return (
    <Dialog title="Set a price" isOpen onClose={onClose}>
      <Form onSubmit={() => save.mutate()}>
        <Field
          label="Model"
          hint="As agents name it; * is the price of every model without one"
          value={model}
          onChange={setModel}
          isCode
          isRequired
        />
        {fields.map(({ name, label, isRequired }) => (
          <Field
            key={name}
            label={`${label}, in US dollars`}
            value={texts[name] ?? ''}
            onChange={(text) => setTexts({ ...texts, [name]: text })}
            error={errors[`prices.${model.trim()}.${name}`]}
            isRequired={isRequired}
          />
        ))}
        <Problem error={save.error} />
        <Buttons>
          <Button kind="main" type="submit" isPending={save.isPending} isDisabled={!isComplete(model, texts)}>
            Set it
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </Buttons>
      </Form>
    </Dialog>
  );
}

const isNumber = (text = '') => text.trim() !== '' && Number(text) >= 0;

function isComplete(model: string, texts: Readonly<Record<string, string>>): boolean {
  return (
    model.trim() !== '' &&
    fields.every(({ name, isRequired }) => isNumber(texts[name]) || (!isRequired && !texts[name]?.trim()))
  );
}

function toPrice(texts: Readonly<Record<string, string>>): Price {
  const { input, output, ...rest } = texts;
  const given = Object.entries(rest).filter(([, text]) => isNumber(text));
  return {
    ...{ input: Number(input), output: Number(output) },
    ...Object.fromEntries(given.map(([name, text]) => [name, Number(text)])),
  };
}
