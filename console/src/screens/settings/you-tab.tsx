import { useIdentity } from '../../app/session.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { Section, Sections } from '../../ui/section.tsx';
import { scopeGroups } from './scope-texts.ts';
import styles from './settings.module.css';

/** Who is signed in and what that may do. */
export function YouTab() {
  const { person, groups, reach, scopes, sessionExpiresAt } = useIdentity();
  return (
    <Sections>
      <Section title="Signed in">
        <Facts
          facts={[
            ['As', person ?? 'an API key that acts for no person'],
            ['Groups of approvers', groups.join(', ')],
            [
              'Sees',
              reach === 'workspace'
                ? 'all of the workspace'
                : 'what belongs to this person, or is shared with this person',
            ],
            ['Session ends', sessionExpiresAt === null ? null : formatDateTime(sessionExpiresAt)],
          ]}
        />
      </Section>
      <Section title="What you may do">
        <div className={styles.groups}>
          {scopeGroups.map(({ title, scopes: offered }) => {
            const held = offered.filter(({ value }) => scopes.includes(value));
            if (held.length === 0) return null;
            return (
              <section key={title} aria-label={title}>
                <h3 className={styles.group}>{title}</h3>
                <ul className={styles.scopes}>
                  {held.map(({ value, text }) => (
                    <li key={value}>
                      {text} <code>{value}</code>
                    </li>
                  ))}
                </ul>
              </section>
            );
          })}
        </div>
      </Section>
    </Sections>
  );
}
