/** What a command reads from and writes to; tests give another. */
export type Terminal = {
  /** Bytes are written as they are. */
  out(text: string | Uint8Array): void
  /** Messages for people: they never end up in a pipe. */
  note(text: string): void
  /** Set while several changes are made: a reader of the output that leaves does not end them halfway. */
  isChanging?: boolean
  /** Both ends are a terminal, so that questions can be asked. */
  isInteractive: boolean
  isOutputTerminal: boolean
  /** Width of the terminal; undefined where the output is no terminal. */
  columns: number | undefined
  hasColor: boolean
  /** Asks a question. `isHidden`: what is typed is not shown. */
  ask(question: string, isHidden?: boolean): Promise<string>
  /** Everything of standard input. */
  readInput(): Promise<string>
}
