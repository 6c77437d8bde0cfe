interface Expanded {
  value: string;
  /** The names that have no value. */
  missing: string[];
}

/** Puts the values of an environment in place of `${NAME}`. */
export function expandVariables(text: string, env: Readonly<Record<string, string | undefined>>): Expanded {
  const missing: string[] = [];
  const value = text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_reference, name: string) => {
    if (env[name] === undefined) missing.push(name);
    return env[name] ?? '';
  });
  return { value, missing };
}
