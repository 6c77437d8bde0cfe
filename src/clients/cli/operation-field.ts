/** A field of the query or the body of an operation, as the option of a command. */
export interface OperationField {
  name: string;
  /**
   * How it is typed: `agent` by its id or name, `list` repeated or with commas, `flag` without a value, and `switch`, which is on
   * unless `--no-x` is given.
   */
  kind: 'text' | 'number' | 'agent' | 'list' | 'flag' | 'switch' | 'json';
  /** The placeholder of its value. */
  value: string;
  required?: true;
  /** The text of the help about the field. */
  text?: string;
}
