import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './add-tools.module.css';

interface StepHeadProps {
  title: string;
  /** The text of the button that leads back. */
  back: string;
  onBack: () => void;
}

/** The head of a step of the dialog; it takes the focus, since the button that led here is there no more. */
export function StepHead({ title, back, onBack }: StepHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={styles.stepHead}>
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      <Button kind="plain" onPress={onBack}>
        {back}
      </Button>
    </div>
  );
}
