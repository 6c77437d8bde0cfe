import { useState, type ReactNode } from 'react';
import { Field } from '../../ui/field.tsx';
import { MultiList } from '../../ui/multi-list.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './add-tools.module.css';
import type { Basket } from './basket.ts';
import { OfferDetails } from './offer-details.tsx';
import type { Offer } from './offers.ts';

interface OfferChooserProps {
  label: string;
  offers: readonly Offer[];
  basket: Basket;
  /** Stands where there are no offers. */
  none: ReactNode;
}

/** Chooses among tools by name and description; the one that the keyboard is at is shown whole beside the list. */
export function OfferChooser({ label, offers, basket, none }: OfferChooserProps) {
  const [text, setText] = useState('');
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const wanted = text.trim().toLowerCase();
  const found = offers.filter(({ title, tool }) =>
    `${title} ${tool.description ?? ''}`.toLowerCase().includes(wanted),
  );
  const active = found.find(({ key }) => key === activeKey) ?? found[0];
  if (offers.length === 0) return <p className={styles.none}>{none}</p>;
  return (
    <div className={styles.chooser}>
      <div className={styles.offers}>
        <Field label="Search by name or description" type="search" value={text} onChange={setText} />
        <div className={styles.list}>
          <MultiList
            label={label}
            items={found}
            toKey={({ key }) => key}
            row={(offer) => <OfferRow offer={offer} />}
            chosen={new Set(basket.chosen.keys())}
            onChoose={basket.choose}
            isDisabled={({ taken }) => taken !== null}
            onActive={({ key }) => setActiveKey(key)}
            empty={<p className={styles.none}>None fits.</p>}
          />
        </div>
      </div>
      {active && <OfferDetails key={active.key} offer={active} basket={basket} />}
    </div>
  );
}

const marks = { added: 'already added', quarantined: 'already added, quarantined' };

function OfferRow({ offer: { title, tool, effect, taken } }: { offer: Offer }) {
  return (
    <>
      <span>
        <code>{title}</code>{' '}
        {taken !== null && (
          <span className={styles.taken} data-taken={taken}>
            {marks[taken]}
          </span>
        )}{' '}
        {effect !== null && (
          <span className={styles.effect} data-effect={effect}>
            {toWords(effect)}
          </span>
        )}
      </span>
      <span className={styles.quiet}>{tool.description}</span>
    </>
  );
}
