import { CommandError, UsageError } from '../errors.ts'

/** Turns a reply into the results of a program of jq. Throws CommandError where the program fails on it. */
export type Filter = (reply: unknown) => unknown[]

/** Throws UsageError for a program that cannot be read, before anything is sent. */
export async function compileFilter(program: string): Promise<Filter> {
  const { compile } = await import('@michaelhomer/jqjs')
  const results = compiled(compile, program)
  return (reply) => {
    try {
      return [...results(reply)]
    } catch (cause) {
      throw new CommandError(`The program of --jq failed on the reply: ${textOf(cause)}`)
    }
  }
}

function compiled(compile: (program: string) => (input: unknown) => Iterable<unknown>, program: string) {
  try {
    return compile(program)
  } catch (cause) {
    throw new UsageError(`--jq cannot read "${program}": ${textOf(cause)}`, { cause })
  }
}

// The library throws texts.
function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
