interface Expanded {
  value: string;
  /** The names of variables that are not set. */
  missing: string[];
}

/** Replaces each `${NAME}` by the value of the variable. */
export function expandVariables(text: string, env: Readonly<Record<string, string | undefined>>): Expanded {
  const missing: string[] = [];
  const value = text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_reference, name: string) => {
    if (env[name] === undefined) missing.push(name);
    return env[name] ?? '';
  });
  return { value, missing };
}
