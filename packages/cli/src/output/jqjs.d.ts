declare module '@michaelhomer/jqjs' {
  /** Compiles a program of jq; throws a text for one that it cannot read. */
  export function compile(program: string): (input: unknown) => Iterable<unknown>
}
