/** Prints one line for the person at the terminal. */
export type Say = (line: string) => void;
