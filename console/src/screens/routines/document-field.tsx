import { useId, useRef, type KeyboardEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './document-field.module.css';

/** A message about a line of the document; lines count from 0. */
export interface DocumentError {
  line: number;
  message: string;
}

interface DocumentFieldProps {
  value: string;
  onChange: (value: string) => void;
  errors: readonly DocumentError[];
  isReadOnly: boolean;
}

/** The text of a document with the numbers of its lines, and messages behind the lines that they are about. */
export function DocumentField({ value, onChange, errors, isReadOnly }: DocumentFieldProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const lines = value.split('\n');
  const longest = Math.max(...lines.map((line) => line.length));
  const goTo = (line: number) => {
    const start = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0);
    area.current?.focus();
    area.current?.setSelectionRange(start, start + (lines[line]?.length ?? 0));
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        Document, as YAML or JSON
      </label>
      <div className={styles.editor} data-wrong={errors.length > 0}>
        <ol className={styles.numbers} aria-hidden="true">
          {lines.map((_line, index) => (
            // Lines have no identity besides their number.
            <li key={index} data-wrong={errors.some(({ line }) => line === index)}>
              {index + 1}
            </li>
          ))}
        </ol>
        <div className={styles.content}>
          <textarea
            ref={area}
            id={id}
            className={styles.text}
            style={{ height: `${lines.length * 1.5 + 1}em`, minWidth: `${longest + 3}ch` }}
            wrap="off"
            spellCheck={false}
            autoCapitalize="off"
            value={value}
            readOnly={isReadOnly}
            aria-invalid={errors.length > 0}
            aria-describedby={`${id}-errors`}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={keepIndent}
          />
          <Messages lines={lines} errors={errors} />
        </div>
      </div>
      <div role="alert">
        <ul id={`${id}-errors`} className={styles.errors}>
          {errors.map(({ line, message }) => (
            <li key={`${line} ${message}`}>
              <Button kind="plain" onPress={() => goTo(line)}>
                Line {line + 1}
              </Button>
              {message}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** The messages behind their lines, for those who see them; all others read the list below. */
function Messages({ lines, errors }: { lines: readonly string[]; errors: readonly DocumentError[] }) {
  const byLine = Map.groupBy(errors, ({ line }) => line);
  return [...byLine].map(([line, ofLine]) => (
    <p key={line} className={styles.line} aria-hidden="true" style={{ top: `${line * 1.5 + 0.5}em` }}>
      <span className={styles.space}>{lines[line]}</span>
      <span className={styles.message}>{ofLine.map(({ message }) => message).join('; ')}</span>
    </p>
  ));
}

/** Begins a new line as deep as the one before. */
function keepIndent(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { value, selectionStart, readOnly } = event.currentTarget;
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || readOnly) return;
  const line = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart);
  const indent = /^ */.exec(line)?.[0] ?? '';
  event.preventDefault();
  // Other ways to change the text drop what the browser can undo.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  document.execCommand('insertText', false, `\n${indent}`);
}
