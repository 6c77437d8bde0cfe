import type { AgentVersion, JsonObject } from '../../api/types.ts';
import { Difference } from '../../ui/difference.tsx';
import styles from './versions.module.css';
import { toToolObject, type AnyVersion } from './comparable.ts';
import { toPlace, toTypeText } from './tool-texts.ts';

type Tool = AgentVersion['tools'][number];

interface ToolDifferencesProps {
  before: AnyVersion;
  after: AnyVersion;
}

/** The tools that a version has and another has not, and what differs between those that both have. */
export function ToolDifferences({ before, after }: ToolDifferencesProps) {
  const [one, other] = [toMap(before), toMap(after)];
  const changes = [...new Set([...one.keys(), ...other.keys()])].map((name) => ({
    name,
    was: one.get(name),
    is: other.get(name),
  }));
  const differing = changes.filter(({ was, is }) => toText(was) !== toText(is));
  if (differing.length === 0) return null;
  return (
    <section className={styles.toolDifferences} aria-label="Tools that differ">
      <h3>Tools</h3>
      <ul>
        {differing.map(({ name, was, is }) => (
          <li key={name}>
            {was && is ? (
              <ChangedTool name={name} before={toToolObject(was)} after={toToolObject(is)} />
            ) : was ? (
              <del>
                Removed: <Summary tool={was} />
              </del>
            ) : (
              is && (
                <ins>
                  Added: <Summary tool={is} />
                </ins>
              )
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const toMap = ({ tools }: AnyVersion) => new Map(tools.map((tool) => [tool.name, tool]));

const toText = (tool: Tool | undefined) => tool && JSON.stringify(toToolObject(tool));

function Summary({ tool }: { tool: Tool }) {
  return (
    <>
      <code>{tool.name}</code> ({toTypeText(tool.type)}
      {toPlace(tool)}) {tool.description}
    </>
  );
}

function ChangedTool({ name, before, after }: { name: string; before: JsonObject; after: JsonObject }) {
  return (
    <>
      <p>
        Changed: <code>{name}</code>
      </p>
      <Difference label={`What differs of ${name}`} before={before} after={after} />
    </>
  );
}
