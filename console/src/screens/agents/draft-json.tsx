import { useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { parseJson } from '../../ui/parse-json.ts';
import { readDraft, type AgentDraft } from './draft.ts';

interface DraftJsonProps {
  draft: AgentDraft;
  onChange: (draft: AgentDraft) => void;
  /** Called with whether the text is no agent. */
  onWrong: (isWrong: boolean) => void;
  isReadOnly: boolean;
}

/** All of an agent as JSON, with its tools and what has no field. */
export function DraftJson({ draft, onChange, onWrong, isReadOnly }: DraftJsonProps) {
  const [text, setText] = useState(() => JSON.stringify(draft, null, 2));
  const [known, setKnown] = useState(draft);
  const [error, setError] = useState<string | undefined>();
  // It was discarded, or another version came in.
  if (known !== draft) {
    setKnown(draft);
    setText(JSON.stringify(draft, null, 2));
    setError(undefined);
  }
  const change = (next: string) => {
    setText(next);
    const value = parseJson(next);
    const read = value === undefined ? 'This is not JSON.' : readDraft(value, draft);
    const isWrong = typeof read === 'string';
    setError(isWrong ? read : undefined);
    onWrong(isWrong);
    if (isWrong) return;
    setKnown(read);
    onChange(read);
  };
  return (
    <Field
      label="The agent as JSON"
      hint="As the API takes it. Fields that are left out stay as they are."
      rows={32}
      isCode
      value={text}
      onChange={change}
      error={error}
      isReadOnly={isReadOnly}
    />
  );
}
