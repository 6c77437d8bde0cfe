import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../app/session.tsx';
import { modelVendors } from '../../live/connect/targets.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import styles from './agents.module.css';
import type { AgentDraft, PartProps } from './draft.ts';
import { connectionsQuery, modelsQuery } from './queries.ts';

/** The name, the models and the instructions of an agent. */
export function BasicFields({ draft, set, errors, isReadOnly }: PartProps) {
  return (
    <>
      <div className={styles.wide}>
        <Field
          label="Name"
          value={draft.name}
          onChange={(name) => set({ name })}
          error={errors['name']}
          isReadOnly={isReadOnly}
        />
      </div>
      <ModelFields
        model={draft.model}
        connectionId={draft.modelConnectionId}
        onModel={(model) => set({ model })}
        onConnection={(modelConnectionId) => set({ modelConnectionId })}
        error={errors['model']}
        connectionError={errors['modelConnectionId']}
        isReadOnly={isReadOnly}
      />
      <Fallbacks draft={draft} set={set} errors={errors} isReadOnly={isReadOnly} />
      <Field
        label="Instructions"
        rows={14}
        value={draft.instructions}
        onChange={(instructions) => set({ instructions })}
        error={errors['instructions']}
        isReadOnly={isReadOnly}
      />
    </>
  );
}

interface ModelFieldsProps {
  /** What the labels begin with, such as `Fallback 1:`. */
  prefix?: string;
  model: string;
  connectionId: string | null;
  onModel: (model: string) => void;
  onConnection: (connectionId: string | null) => void;
  error: string | undefined;
  connectionError: string | undefined;
  isReadOnly: boolean;
}

/** A model, and the connection whose key it is called with. */
function ModelFields(props: ModelFieldsProps) {
  const { prefix, model, connectionId, onModel, onConnection, isReadOnly } = props;
  const { data } = useQuery(modelsQuery);
  const connections = useModelConnections();
  const toLabel = (label: string) => (prefix === undefined ? label : `${prefix} ${label.toLowerCase()}`);
  const warning = data?.models.find(({ name }) => name === model)?.warning ?? undefined;
  return (
    <div className={styles.pair}>
      <Field
        label={toLabel('Model')}
        value={model}
        onChange={onModel}
        suggestions={data?.models.map(({ name }) => name) ?? []}
        hint={connectionId === null ? warning : undefined}
        error={props.error}
        isReadOnly={isReadOnly}
        autoComplete="off"
      />
      <NamedChoice
        label={toLabel('Key')}
        value={connectionId ?? ''}
        onChange={(id) => onConnection(id === '' ? null : id)}
        names={connections}
        none="That of the operator"
        error={props.connectionError}
        isDisabled={isReadOnly}
      />
    </div>
  );
}

const vendors = new Set(modelVendors.map(({ provider }) => provider));

/** The names of the connections to vendors of models by their ids; undefined for who may not read connections. */
function useModelConnections(): ReadonlyMap<string, string> | undefined {
  const canRead = useMay()('connections:read');
  const { data = [] } = useQuery({ ...connectionsQuery, enabled: canRead });
  const known = data.filter(({ provider }) => vendors.has(provider));
  return canRead ? new Map(known.map(({ id, name }) => [id, name])) : undefined;
}

/** The models that are called when the ones before them are unreachable. */
function Fallbacks({ draft: { fallbackModels }, set, errors, isReadOnly }: PartProps) {
  const change = (index: number, part: Partial<AgentDraft['fallbackModels'][number]>) =>
    set({ fallbackModels: fallbackModels.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  return (
    <>
      {fallbackModels.map(({ model, modelConnectionId = null }, index) => (
        // The place is what tells one fallback from another.
        <div key={index} className={styles.fallback}>
          <ModelFields
            prefix={`Fallback ${index + 1}:`}
            model={model}
            connectionId={modelConnectionId}
            onModel={(next) => change(index, { model: next })}
            onConnection={(next) => change(index, { modelConnectionId: next })}
            error={errors[`fallbackModels.${index}.model`]}
            connectionError={errors[`fallbackModels.${index}.modelConnectionId`]}
            isReadOnly={isReadOnly}
          />
          {!isReadOnly && (
            <Button
              kind="plain"
              label={`Remove fallback ${index + 1}`}
              onPress={() => set({ fallbackModels: fallbackModels.filter((_, at) => at !== index) })}
            >
              Remove
            </Button>
          )}
        </div>
      ))}
      {!isReadOnly && (
        <div className={styles.buttons}>
          <Button
            kind="plain"
            onPress={() =>
              set({ fallbackModels: [...fallbackModels, { model: '', modelConnectionId: null }] })
            }
          >
            Add a fallback model
          </Button>
          <span className={styles.quiet}>It is called when the models before it are unreachable.</span>
        </div>
      )}
    </>
  );
}
