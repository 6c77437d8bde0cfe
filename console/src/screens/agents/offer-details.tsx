import type { NewTool } from '../../api/types.ts';
import { Field } from '../../ui/field.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import styles from './add-tools.module.css';
import type { Basket } from './basket.ts';
import { FunctionConfig } from './function-config.tsx';
import type { Offer } from './offers.ts';
import { toNamed } from './basket.ts';
import { effects } from './tool-texts.ts';

interface OfferDetailsProps {
  offer: Offer;
  basket: Basket;
}

/** One tool that can be added: all that is known of it, and once it is chosen how the agent calls it. */
export function OfferDetails({ offer, basket }: OfferDetailsProps) {
  const { key, title, tool, effect, taken, hiddenCharacters } = offer;
  const chosen = basket.chosen.get(key);
  return (
    <section className={styles.details} aria-label={title}>
      <h3>
        <code>{title}</code>
      </h3>
      {chosen && <ChosenFields offer={offer} tool={chosen} change={(next) => basket.change(key, next)} />}
      {!(chosen && offer.hasOwnDescription) && <p>{tool.description}</p>}
      {taken === 'quarantined' && (
        <p className={styles.warning}>
          The agent has it. Its server has changed its definition: open it among the tools of the agent to see
          the change.
        </p>
      )}
      {hiddenCharacters.length > 0 && (
        <p className={styles.warning}>
          Its definition has invisible characters, which models are not given: {hiddenCharacters.join(', ')}.
        </p>
      )}
      <p className={styles.quiet}>{toEffectText(effect, tool)}</p>
      {tool.schema && (
        <>
          <h4>Arguments</h4>
          <JsonView value={tool.schema} open={2} />
        </>
      )}
    </section>
  );
}

function toEffectText(effect: Offer['effect'], { type }: NewTool): string {
  const known = effects.find(({ value }) => value === effect)?.text;
  if (known !== undefined) return `${known}.`;
  if (type === 'agent') return 'What its calls do is what the other agent does.';
  if (type === 'workflow')
    return 'A workflow is started once for each call, however often the turn is tried.';
  return 'What its calls do is read from its server when it is added; without a hint they count as unsafe.';
}

interface ChosenFieldsProps {
  offer: Offer;
  tool: NewTool;
  change: (tool: NewTool) => void;
}

function ChosenFields({ offer, tool, change }: ChosenFieldsProps) {
  return (
    <>
      <Field
        label="Name for the model"
        isCode
        value={tool.name}
        onChange={(name) => change(toNamed(tool, name))}
      />
      {offer.hasOwnDescription && (
        <Field
          label="Description for the model"
          rows={3}
          value={tool.description ?? ''}
          onChange={(description) => change({ ...tool, description })}
        />
      )}
      {tool.type === 'function' && <FunctionConfig tool={tool} change={change} />}
    </>
  );
}
