import { readFileSync } from 'node:fs'
import { exitCodes, UsageError } from '../errors.ts'
import { idOf } from '../names.ts'
import { formatOf, printReply } from '../output/print.ts'
import type { Session } from '../session.ts'
import type { Call } from './hand-made.ts'
import { watchRun } from './watch-run.ts'

/** Starts a workflow with an input, and follows the run to its end where that is asked for. */
export async function runWorkflow(call: Call): Promise<number> {
  const { session, args, values } = call
  const { client, terminal, flags, signal } = session
  const [workflow] = args
  if (workflow === undefined)
    throw new UsageError('Name the workflow: bey workflows run deploy-search --set image=v2')
  const input = { ...(await inputOf(session)), ...fieldsOf(values['set']) }
  const id = String(await idOf(client, 'workflows', workflow, signal))
  const reply = await client.call('workflows.startRun', { params: { id }, body: { input } }, { signal })
  const runId = reply.run.id
  // Following ends with the code of the run.
  if (values['wait'] === true)
    return watchRun({ ...call, args: [id, runId], values: { ...values, 'exit-status': true } })
  if (formatOf(flags) === 'table') terminal.out(`Started ${workflow}: run ${runId}\n`)
  else printReply(terminal, reply, flags, { columns: [] })
  return exitCodes.ok
}

/** The JSON of `--input`, a file or standard input. */
async function inputOf({ flags, terminal }: Session): Promise<Record<string, unknown>> {
  if (flags.input === undefined) return {}
  const text = flags.input === '-' ? await terminal.readInput() : readText(flags.input)
  const from = flags.input === '-' ? 'Standard input' : flags.input
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch (cause) {
    throw new UsageError(`${from} is not JSON.`, { cause })
  }
  throw new UsageError(`${from} is no object of JSON: an input has fields.`)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new UsageError(`${path} cannot be read.`, { cause })
  }
}

/** `--set replicas=3 --set image=web:2`: JSON where it is JSON, else text. */
function fieldsOf(given: unknown): Record<string, unknown> {
  const pairs = Array.isArray(given) ? given.map(String) : []
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at <= 0) throw new UsageError(`--set takes a name and a value: --set image=web:2, not "${pair}".`)
      return [pair.slice(0, at), valueOf(pair.slice(at + 1))]
    }),
  )
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Most values are texts that nobody quotes.
    return text
  }
}
