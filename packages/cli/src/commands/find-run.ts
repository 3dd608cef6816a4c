import { CommandError, UsageError } from '../errors.ts'
import { idOf } from '../names.ts'
import type { Session } from '../session.ts'

/** A run by the name or id of its workflow and its own id; the latest where none is named. Throws CommandError. */
export async function findRun(
  { client, signal }: Session,
  args: readonly string[],
): Promise<{ id: string; runId: string }> {
  const [workflow, run] = args
  if (workflow === undefined) throw new UsageError('Name the workflow: bey runs watch <workflow> [<run>].')
  const id = String(await idOf(client, 'workflows', workflow, signal))
  if (run !== undefined) return { id, runId: run }
  const { runs } = await client.call('workflows.runs', { params: { id }, query: { limit: 1 } }, { signal })
  const [latest] = runs
  if (latest === undefined)
    throw new CommandError(`${workflow} has never run. Start it with bey runs start ${workflow}.`)
  return { id, runId: latest.id }
}
