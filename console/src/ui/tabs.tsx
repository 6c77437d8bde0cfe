import { Link } from '@tanstack/react-router';
import styles from './tabs.module.css';

interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  tabs: readonly { value: Value; text: string }[];
  /** The name in the query of the address that holds the chosen one. */
  name: string;
}

/** Views of one thing, each with an address: links, since the browser's back and a copied address lead to the same view. */
export function Tabs<Value extends string>({ label, value, tabs, name }: TabsProps<Value>) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab.value}
          to="."
          search={(before: object) => ({ ...before, [name]: tab.value })}
          replace
          className={styles.tab}
          aria-current={tab.value === value ? 'page' : undefined}
        >
          {tab.text}
        </Link>
      ))}
    </nav>
  );
}
