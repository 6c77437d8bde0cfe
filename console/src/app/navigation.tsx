import { Link, useLocation } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { Account } from './account.tsx';
import styles from './navigation.module.css';
import { groups, type Screen } from './screen.ts';
import { screens } from './screens.ts';
import { useMay } from './session.tsx';

/** Lists the screens that the person may see. On a narrow page it is folded behind a button. */
export function Navigation() {
  const may = useMay();
  const { pathname } = useLocation();
  // The path at which it was opened: another page closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === pathname;
  const shown = screens.filter(({ anyOf }) => anyOf === undefined || anyOf.some(may));
  return (
    <header className={styles.bar}>
      <div className={styles.top}>
        <Link to="/" className={styles.brand}>
          Holdfast
        </Link>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpenAt(isOpen ? null : pathname)}
        >
          Menu
        </button>
      </div>
      <nav id="navigation" className={styles.nav} data-open={isOpen} aria-label="Screens">
        {groups.map((group) => (
          <Group key={group} name={group} screens={shown.filter((screen) => screen.group === group)} />
        ))}
        <Account />
      </nav>
    </header>
  );
}

function Group({ name, screens: ofGroup }: { name: string; screens: readonly Screen[] }) {
  if (ofGroup.length === 0) return null;
  return (
    <section className={styles.group} aria-label={name}>
      <h2 className={styles.name}>{name}</h2>
      <ul>
        {ofGroup.map((screen) => (
          <Item key={screen.title} screen={screen} />
        ))}
      </ul>
    </section>
  );
}

function Item({ screen: { title, pages, Badge } }: { screen: Screen }) {
  const { path } = pages[0];
  return (
    <li>
      <Link
        to={path}
        className={styles.link}
        activeProps={{ 'aria-current': 'page' }}
        activeOptions={{ exact: path === '/', includeSearch: false }}
      >
        {title}
        {Badge && (
          <Suspense fallback={null}>
            <Badge />
          </Suspense>
        )}
      </Link>
    </li>
  );
}
