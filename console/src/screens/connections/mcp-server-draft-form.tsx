import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import type { ImportProviderResponse } from '../../api/types.ts';
import type { Auth } from '../../live/connect/auth-offers.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form, Section } from '../../ui/section.tsx';
import styles from './connections.module.css';
import { Warnings } from './import-preview.tsx';
import { startTest } from './queries.ts';

type Draft = NonNullable<ImportProviderResponse['mcpServer']>;

/** Creates a connection to an MCP server of the MCP registry, with the values that its file asks for. */
export function McpServerDraftForm({ draft }: { draft: Draft }) {
  const { title, description, version, fields, warnings, connection } = draft;
  const [name, setName] = useState(connection.name);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, field.default ?? ''])),
  );
  const create = useCreation();
  const isReady = fields.every((field) => !field.required || (values[field.name] ?? '').trim() !== '');
  return (
    <Section title={title}>
      <p>{description}</p>
      <Facts
        facts={[
          ['In the registry', <code key="name">{draft.name}</code>],
          ['Version', version],
          ['Endpoint', connection.endpoint],
        ]}
      />
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      <div className={styles.narrow}>
        <Form onSubmit={() => create.mutate(toConnection(draft, { name, values }))}>
          <Field
            label="Name"
            value={name}
            onChange={setName}
            error={toFieldErrors(create.error)['name']}
            isRequired
          />
          {fields.map((field) => (
            <DraftField
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              onChange={(value) => setValues({ ...values, [field.name]: value })}
            />
          ))}
          <Problem error={create.error} />
          <Buttons>
            <Button kind="main" type="submit" isPending={create.isPending} isDisabled={!isReady}>
              Connect
            </Button>
          </Buttons>
        </Form>
      </div>
    </Section>
  );
}

function useCreation() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    // The secrets are not kept.
    gcTime: 0,
    mutationFn: (body: ReturnType<typeof toConnection>) => holdfast.connections.create(body),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['connections'] });
      startTest(queries, id);
      void navigate({ to: '/connections/$connectionId', params: { connectionId: id } });
    },
  });
}

/** Puts the values of a person into the endpoint and the auth of a draft. */
function toConnection(
  { connection, fields }: Draft,
  { name, values }: { name: string; values: Readonly<Record<string, string>> },
) {
  const { provider, endpoint, auth } = connection;
  const given = (place: 'endpoint' | 'auth') =>
    fields
      .filter((field) => field.place === place)
      .map((field) => [field.name, values[field.name] ?? ''] as const);
  const secrets = Object.fromEntries(given('auth').filter(([, value]) => value !== ''));
  return {
    ...{ name: name.trim(), provider },
    endpoint: given('endpoint').reduce(
      (url, [part, value]) => url.replaceAll(`{${part}}`, encodeURIComponent(value)),
      endpoint,
    ),
    // Without its secret, which the file does not require, the server is called without auth.
    auth: (auth.type === 'none' || Object.keys(secrets).length === 0
      ? { type: 'none' }
      : { ...auth, ...secrets }) as Auth,
  };
}

interface DraftFieldProps {
  field: Draft['fields'][number];
  value: string;
  onChange: (value: string) => void;
}

function DraftField({ field, value, onChange }: DraftFieldProps) {
  const { name, description, required, secret, choices } = field;
  if (choices && choices.length > 0)
    return (
      <Choice
        label={name}
        value={value}
        options={['', ...choices].map((one) => ({ value: one, text: one === '' ? 'Choose one' : one }))}
        onChange={onChange}
      />
    );
  return (
    <Field
      label={name}
      hint={description === '' ? undefined : description}
      type={secret ? 'password' : 'text'}
      autoComplete="off"
      value={value}
      onChange={onChange}
      isRequired={required}
    />
  );
}
