import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import { useIdentity } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { hasScope, type Role } from './roles.ts';
import { roleTexts } from './scope-texts.ts';
import styles from './settings.module.css';
import { toNames } from './to-names.ts';

/** The button that opens the form of a new token for a person. */
export function NewTokenButton() {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  return (
    <>
      <EndTokensButton />
      <Button kind="main" onPress={() => setOpen(true)}>
        Token for a person …
      </Button>
      {isOpen && (
        <NewToken
          onClose={() => setOpen(false)}
          onMade={(token) => {
            setOpen(false);
            setMade(token);
          }}
        />
      )}
      <SecretOnce secret={made} onClose={() => setMade(null)} />
    </>
  );
}

interface NewTokenProps {
  onClose: () => void;
  onMade: (token: string) => void;
}

function NewToken({ onClose, onMade }: NewTokenProps) {
  const { groups: ownGroups, person: ownPerson } = useIdentity();
  const [text, setText] = useState({ person: ownPerson ?? '', groups: '', minutes: '60' });
  const [roles, setRoles] = useState<readonly Role[]>(['editor']);
  const issue = useMutation({
    // The token is not kept.
    gcTime: 0,
    mutationFn: () =>
      holdfast.userTokens.create({
        ...{ person: text.person.trim(), roles: [...roles], groups: toNames(text.groups) },
        minutes: Number(text.minutes),
      }),
    onSuccess: ({ token }) => onMade(token),
  });
  const errors = toFieldErrors(issue.error);
  const set = (part: Partial<typeof text>) => setText({ ...text, ...part });
  return (
    <Dialog title="Token for a person" isOpen onClose={onClose}>
      <Form onSubmit={() => issue.mutate()}>
        <p>A person signs in with it here, or uses the API from a page of yours.</p>
        <Field
          label="Person"
          hint="A name or an address, such as ada@example.com"
          isRequired
          isReadOnly={ownPerson !== null}
          value={text.person}
          onChange={(person) => set({ person })}
          error={errors['person']}
        />
        <RoleFields roles={roles} onChange={setRoles} />
        {ownGroups.length > 0 && (
          <Field
            label="Groups of approvers (optional)"
            hint={`Of ${ownGroups.join(', ')}, with commas between them`}
            value={text.groups}
            onChange={(groups) => set({ groups })}
            error={errors['groups']}
          />
        )}
        <Field
          label="Minutes"
          type="number"
          value={text.minutes}
          onChange={(minutes) => set({ minutes })}
          error={errors['minutes']}
        />
        <Problem error={issue.error} />
        <Buttons>
          <Button
            kind="main"
            type="submit"
            isPending={issue.isPending}
            isDisabled={text.person.trim() === '' || roles.length === 0}
          >
            Issue
          </Button>
        </Buttons>
      </Form>
    </Dialog>
  );
}

interface RoleFieldsProps {
  roles: readonly Role[];
  onChange: (roles: readonly Role[]) => void;
}

/** The roles of a token. One that would give it no scope is not offered. */
function RoleFields({ roles, onChange }: RoleFieldsProps) {
  const { scopes } = useIdentity();
  const offered = roleTexts.filter(({ value }) => scopes.some((scope) => hasScope(value, scope)));
  const all = roleTexts.map(({ value }) => value);
  return (
    <fieldset className={styles.set}>
      <legend>Roles</legend>
      {offered.map(({ value, text }) => (
        <Checkbox
          key={value}
          label={value}
          hint={text}
          isChecked={roles.includes(value)}
          onChange={(isChecked) =>
            onChange(all.filter((role) => (role === value ? isChecked : roles.includes(role))))
          }
        />
      ))}
    </fieldset>
  );
}

/** Ends all tokens of one person, such as those of somebody who has left. */
function EndTokensButton() {
  const [isOpen, setOpen] = useState(false);
  const [person, setPerson] = useState('');
  const end = useMutation({ mutationFn: () => holdfast.userTokens.endAll({ person: person.trim() }) });
  return (
    <>
      <Button onPress={() => setOpen(true)}>End tokens …</Button>
      <Dialog title="End all tokens of a person" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Form onSubmit={() => end.mutate()}>
          <p>Requests with them are refused from now on, and open streams end within seconds.</p>
          <Field label="Person" isRequired value={person} onChange={setPerson} />
          <Problem error={end.error} />
          <Buttons>
            <Button kind="bad" type="submit" isPending={end.isPending} isDisabled={person.trim() === ''}>
              End them
            </Button>
            <p role="status">{end.isSuccess && 'They have ended.'}</p>
          </Buttons>
        </Form>
      </Dialog>
    </>
  );
}
