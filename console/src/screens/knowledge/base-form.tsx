import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import type { KnowledgeBase } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import { languages, newDraft, toDraft, toInput, type BaseDraft } from './base-draft.ts';
import { embeddingConnectionsQuery, embeddingModelsQuery, refreshKnowledge } from './queries.ts';

/** The button that opens the form of a new knowledge base. */
export function NewBaseButton() {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const create = (draft: BaseDraft) =>
    holdfast.knowledgeBases.create({ ...toInput(draft), language: draft.language });
  return (
    <>
      <Button kind="main" onPress={() => setOpen(true)}>
        New knowledge base …
      </Button>
      {isOpen && (
        <BaseDialog
          title="New knowledge base"
          first={newDraft}
          isNew
          save={create}
          onSaved={({ id }) => void navigate({ to: '/knowledge/$baseId', params: { baseId: id } })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** The button that opens the form to change a knowledge base. */
export function ChangeBaseButton({ base }: { base: KnowledgeBase }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Change …</Button>
      {isOpen && (
        <BaseDialog
          title={`Change ${base.name}`}
          first={toDraft(base)}
          save={(draft) => holdfast.knowledgeBases.update(base.id, toInput(draft))}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface BaseDialogProps {
  title: string;
  first: BaseDraft;
  /** The language is chosen once. @default false */
  isNew?: boolean;
  save: (draft: BaseDraft) => Promise<KnowledgeBase>;
  onSaved?: (base: KnowledgeBase) => void;
  onClose: () => void;
}

function BaseDialog({ title, first, isNew = false, save: store, onSaved, onClose }: BaseDialogProps) {
  const [draft, setDraft] = useState(first);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => store(draft),
    onSuccess: async (base) => {
      await refreshKnowledge(queries);
      onClose();
      onSaved?.(base);
    },
  });
  const errors = toFieldErrors(save.error);
  const isSearchedAnew =
    !isNew && (draft.embeddingModel !== first.embeddingModel || draft.maxCharacters !== first.maxCharacters);
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form onSubmit={() => save.mutate()}>
        <BaseFields draft={draft} onChange={setDraft} errors={errors} isNew={isNew} />
        {isSearchedAnew && (
          <p>Documents that are there already keep their passages until they are processed again.</p>
        )}
        <Problem error={save.error} />
        <Buttons>
          <Button kind="main" type="submit" isPending={save.isPending} isDisabled={draft.name.trim() === ''}>
            {isNew ? 'Create' : 'Save'}
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </Buttons>
      </Form>
    </Dialog>
  );
}

interface BaseFieldsProps {
  draft: BaseDraft;
  onChange: (draft: BaseDraft) => void;
  errors: Readonly<Record<string, string>>;
  isNew: boolean;
}

function BaseFields({ draft, onChange, errors, isNew }: BaseFieldsProps) {
  const set = (change: Partial<BaseDraft>) => onChange({ ...draft, ...change });
  return (
    <>
      <Field
        label="Name"
        value={draft.name}
        onChange={(name) => set({ name })}
        error={errors['name']}
        isRequired
      />
      <Field
        label="Description"
        rows={2}
        value={draft.description}
        onChange={(description) => set({ description })}
        error={errors['description']}
      />
      {isNew && (
        <Choice
          label="Language of the documents"
          value={draft.language}
          options={languages.map((value) => ({
            value,
            text: value === 'simple' ? 'another (words as they are)' : value,
          }))}
          onChange={(language) => set({ language })}
        />
      )}
      <EmbeddingFields draft={draft} onChange={onChange} error={errors['embeddingModel']} />
      <Field
        label="Characters of a passage at most"
        type="number"
        value={draft.maxCharacters}
        onChange={(maxCharacters) => set({ maxCharacters })}
        error={errors['chunking.maxCharacters']}
      />
      <Field
        label="Characters that the next passage repeats at most"
        type="number"
        value={draft.overlapCharacters}
        onChange={(overlapCharacters) => set({ overlapCharacters })}
        error={errors['chunking.overlapCharacters']}
      />
    </>
  );
}

interface EmbeddingFieldsProps {
  draft: BaseDraft;
  onChange: (draft: BaseDraft) => void;
  error: string | undefined;
}

/** The model by which passages are found by their meaning, and the connection that pays for it. */
function EmbeddingFields({ draft, onChange, error }: EmbeddingFieldsProps) {
  const may = useMay();
  const { data: models } = useQuery({ ...embeddingModelsQuery, enabled: may('agents:read') });
  const { data: connections } = useQuery({
    ...embeddingConnectionsQuery,
    enabled: may('connections:read') && draft.embeddingModel !== '',
  });
  const known = models?.models.map(({ name }) => name).join(', ');
  return (
    <>
      <Field
        label="Embedding model"
        hint={`Finds passages by their meaning too. Empty to search by words alone.${known ? ` Known: ${known}` : ''}`}
        value={draft.embeddingModel}
        onChange={(embeddingModel) => onChange({ ...draft, embeddingModel })}
        error={error}
      />
      {connections && draft.embeddingModel !== '' && (
        <Choice
          label="Key of"
          value={draft.embeddingConnectionId}
          options={[
            { value: '', text: 'the operator' },
            ...connections.map(({ id, name }) => ({ value: id, text: name })),
          ]}
          onChange={(embeddingConnectionId) => onChange({ ...draft, embeddingConnectionId })}
        />
      )}
    </>
  );
}
