import { useState } from 'react';
import { Button } from './button.tsx';

interface CopyProps {
  text: string;
  /** @default 'Copy' */
  children?: string;
  /** The name for those who do not see around which text the button stands. */
  label?: string;
}

/** Copies a text, and says so for a moment. */
export function Copy({ text, children = 'Copy', label }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Button
      kind="plain"
      {...(label !== undefined && !isCopied && { label })}
      onPress={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true);
          setTimeout(() => setCopied(false), 1_500);
        });
      }}
    >
      {isCopied ? 'Copied' : children}
    </Button>
  );
}
