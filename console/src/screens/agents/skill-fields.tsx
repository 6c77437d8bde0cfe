import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Folded } from '../../ui/folded.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import styles from './agents.module.css';
import type { PartProps } from './draft.ts';
import { findError, hasError } from './errors.ts';
import { skillsQuery } from './queries.ts';

/** The skills that an agent uses, each in one version. */
export function SkillFields({ draft: { skills: pins }, set, errors, isReadOnly }: PartProps) {
  const canRead = useMay()('skills:read');
  const { data: skills } = useQuery({ ...skillsQuery, enabled: canRead });
  const known = new Map(skills?.map((skill) => [skill.id, skill]));
  const error = findError(errors, 'skills');
  return (
    <Folded
      title="Skills"
      summary={
        pins.length === 0 ? 'none' : pins.map((pin) => known.get(pin.skillId)?.name ?? pin.skillId).join(', ')
      }
      isNeeded={hasError(errors, 'skills')}
    >
      <ul className={styles.rows}>
        {pins.map(({ skillId, version }) => {
          const skill = known.get(skillId);
          const name = skill?.name ?? skillId;
          const replace = (next: typeof pins) =>
            set({ skills: [...pins.filter((pin) => pin.skillId !== skillId), ...next] });
          return (
            <li key={skillId}>
              <span>
                <code>{name}</code> version {version}
              </span>
              <span className={styles.quiet}>{skill?.description}</span>
              {!isReadOnly && skill && skill.version > version && (
                <Button kind="plain" onPress={() => replace([{ skillId, version: skill.version }])}>
                  Take version {skill.version}
                </Button>
              )}
              {!isReadOnly && (
                <Button kind="plain" label={`Remove the skill ${name}`} onPress={() => replace([])}>
                  Remove
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {error !== undefined && <p className={styles.error}>{error}</p>}
      {!isReadOnly && canRead && (
        <NewSkill
          names={
            new Map(
              skills
                ?.filter(({ id }) => !pins.some((pin) => pin.skillId === id))
                .map(({ id, name }) => [id, name]),
            )
          }
          onAdd={(skillId) =>
            set({ skills: [...pins, { skillId, version: known.get(skillId)?.version ?? 1 }] })
          }
        />
      )}
    </Folded>
  );
}

interface NewSkillProps {
  names: ReadonlyMap<string, string>;
  onAdd: (skillId: string) => void;
}

function NewSkill({ names, onAdd }: NewSkillProps) {
  const [skillId, setSkillId] = useState('');
  if (names.size === 0)
    return (
      <p className={styles.quiet}>
        The workspace has no other skill. <code>npx holdfast skills import</code> adds one.
      </p>
    );
  return (
    <div className={styles.adding}>
      <NamedChoice label="Another skill" value={skillId} onChange={setSkillId} names={names} />
      <Button
        isDisabled={skillId === ''}
        onPress={() => {
          onAdd(skillId);
          setSkillId('');
        }}
      >
        Add the skill
      </Button>
    </div>
  );
}
