import { useState } from 'react';
import { Button } from './button.tsx';

/** Copies a text, and says so for a moment. */
export function Copy({ text, children = 'Copy' }: { text: string; children?: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Button
      kind="plain"
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
