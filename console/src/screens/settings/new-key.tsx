import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import type { Scope } from '../../api/scope.ts';
import { useIdentity } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { scopeGroups } from './scope-texts.ts';
import styles from './settings.module.css';
import { toNames } from './to-names.ts';

/** The scopes that a new key does not get by itself. */
const guarded: readonly Scope[] = ['api_keys:write', 'user_tokens:write', 'payloads:read'];

/** The button that opens the form of a new API key. */
export function NewKeyButton() {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  return (
    <>
      <Button kind="main" onPress={() => setOpen(true)}>
        New key …
      </Button>
      {isOpen && (
        <NewKey
          onClose={() => setOpen(false)}
          onMade={(key) => {
            setOpen(false);
            setMade(key);
          }}
        />
      )}
      <SecretOnce secret={made} onClose={() => setMade(null)} />
    </>
  );
}

interface NewKeyProps {
  onClose: () => void;
  onMade: (key: string) => void;
}

function NewKey({ onClose, onMade }: NewKeyProps) {
  const { scopes: held, person } = useIdentity();
  const [scopes, setScopes] = useState<readonly Scope[]>(held.filter((scope) => !guarded.includes(scope)));
  const [text, setText] = useState<KeyTexts>({ name: '', actsFor: person ?? '', groups: '', expiresAt: '' });
  const queries = useQueryClient();
  const create = useMutation({
    // The key is not kept.
    gcTime: 0,
    mutationFn: () => holdfast.apiKeys.create(toBody(text, scopes)),
    onSuccess: async ({ key }) => {
      await queries.invalidateQueries({ queryKey: ['api-keys'] });
      onMade(key);
    },
  });
  const set = (part: Partial<KeyTexts>) => setText({ ...text, ...part });
  return (
    <Dialog title="New API key" isOpen isWide onClose={onClose}>
      <Form onSubmit={() => create.mutate()}>
        <TextFields
          texts={text}
          set={set}
          errors={toFieldErrors(create.error)}
          isOfPerson={person !== null}
        />
        <ScopeFields held={held} scopes={scopes} onChange={setScopes} />
        <Problem error={create.error} />
        <Buttons>
          <Button
            kind="main"
            type="submit"
            isPending={create.isPending}
            isDisabled={text.name.trim() === '' || scopes.length === 0}
          >
            Create
          </Button>
        </Buttons>
      </Form>
    </Dialog>
  );
}

interface KeyTexts {
  name: string;
  actsFor: string;
  groups: string;
  /** A time of the browser's zone. */
  expiresAt: string;
}

function toBody({ name, actsFor, groups, expiresAt }: KeyTexts, scopes: readonly Scope[]) {
  return {
    ...{ name: name.trim(), scopes: [...scopes], groups: toNames(groups) },
    ...(actsFor.trim() === '' ? {} : { actsFor: actsFor.trim() }),
    ...(expiresAt === '' ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

interface TextFieldsProps {
  texts: KeyTexts;
  set: (part: Partial<KeyTexts>) => void;
  /** The messages of the API by the names of its fields. */
  errors: Readonly<Record<string, string>>;
  /** Whether the one who creates the key acts for a person: then the key acts for the same. */
  isOfPerson: boolean;
}

function TextFields({ texts, set, errors, isOfPerson }: TextFieldsProps) {
  const { groups: ownGroups } = useIdentity();
  return (
    <div className={styles.columns}>
      <Field
        label="Name"
        hint="What uses it, such as website"
        isRequired
        value={texts.name}
        onChange={(name) => set({ name })}
        error={errors['name']}
      />
      <Field
        label="Acts for (optional)"
        hint="The only person for whom it acts"
        isReadOnly={isOfPerson}
        value={texts.actsFor}
        onChange={(actsFor) => set({ actsFor })}
        error={errors['actsFor']}
      />
      {ownGroups.length > 0 && (
        <Field
          label="Groups of approvers (optional)"
          hint={`Of ${ownGroups.join(', ')}, with commas between them`}
          value={texts.groups}
          onChange={(groups) => set({ groups })}
          error={errors['groups']}
        />
      )}
      <Field
        label="Expires (optional)"
        type="datetime-local"
        value={texts.expiresAt}
        onChange={(expiresAt) => set({ expiresAt })}
        error={errors['expiresAt']}
      />
    </div>
  );
}

interface ScopeFieldsProps {
  /** The scopes that the one who creates the key has: a key gives no more than that. */
  held: readonly Scope[];
  scopes: readonly Scope[];
  onChange: (scopes: readonly Scope[]) => void;
}

function ScopeFields({ held, scopes, onChange }: ScopeFieldsProps) {
  return (
    <div className={styles.groups}>
      {scopeGroups.map((group) => {
        const offered = group.scopes.filter(({ value }) => held.includes(value));
        if (offered.length === 0) return null;
        return (
          <fieldset key={group.title} className={styles.set}>
            <legend>{group.title}</legend>
            {offered.map(({ value, text }) => (
              <Checkbox
                key={value}
                label={text}
                isChecked={scopes.includes(value)}
                onChange={(isChecked) =>
                  onChange(held.filter((scope) => (scope === value ? isChecked : scopes.includes(scope))))
                }
              />
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}
