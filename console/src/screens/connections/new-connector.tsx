import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import type { CreateConnectorData } from '../../api/types.ts';
import { AuthFields } from '../../live/connect/auth-fields.tsx';
import { isComplete, mcpAuth, noAuth, toAuth, toDraft } from '../../live/connect/auth-offers.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';

/** The button that opens the form of a new connector. */
export function NewConnectorButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="main" onPress={() => setOpen(true)}>
        New connector …
      </Button>
      {isOpen && <NewConnector onClose={() => setOpen(false)} />}
    </>
  );
}

/** Registers an MCP server, with those of its tools that agents may be given. */
function NewConnector({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [endpoint, setEndpoint] = useState('');
  const [tools, setTools] = useState('');
  const [auth, setAuth] = useState(toDraft(noAuth));
  const create = useCreation(onClose);
  const submit = () =>
    create.mutate({
      ...{ name: name.trim(), endpoint: endpoint.trim() },
      ...{ auth: toAuth(auth), tools: tools.split(/[\s,]+/).filter(Boolean) },
    });
  const errors = toFieldErrors(create.error);
  return (
    <Dialog title="New connector" isOpen onClose={onClose}>
      <Form onSubmit={submit}>
        <Field
          label="Name"
          hint="Rules name its tools as name:tool. Letters, digits, _, . and -"
          value={name}
          onChange={setName}
          error={errors['name']}
          isRequired
        />
        <Field
          label="Endpoint"
          type="url"
          placeholder="https://"
          value={endpoint}
          onChange={setEndpoint}
          error={errors['endpoint']}
          isRequired
        />
        <AuthFields offers={mcpAuth} draft={auth} onChange={setAuth} errors={errors} />
        <Field
          label="Tools"
          rows={4}
          isCode
          hint="The names as the server lists them, with spaces or line breaks between them. The page of the connection lists them afterwards."
          value={tools}
          onChange={setTools}
          error={errors['tools']}
        />
        <Problem error={create.error} />
        <Buttons>
          <Button
            kind="main"
            type="submit"
            isPending={create.isPending}
            isDisabled={name.trim() === '' || endpoint.trim() === '' || !isComplete(auth, mcpAuth)}
          >
            Create
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </Buttons>
      </Form>
    </Dialog>
  );
}

function useCreation(onClose: () => void) {
  const queries = useQueryClient();
  return useMutation({
    // The secrets are not kept.
    gcTime: 0,
    mutationFn: (body: CreateConnectorData['body']) => holdfast.connectors.create(body),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['connectors'] });
      void queries.invalidateQueries({ queryKey: ['connections'] });
      onClose();
    },
  });
}
