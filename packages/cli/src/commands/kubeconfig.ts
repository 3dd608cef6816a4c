import { chmodSync, writeFileSync } from 'node:fs'
import { exitCodes, UsageError } from '../errors.ts'
import { idOf } from '../names.ts'
import { formatOf, printReply } from '../output/print.ts'
import type { Call } from './hand-made.ts'

/** Prints a kubeconfig, or writes it to a file that only its owner reads. */
export async function kubeconfig({ session, args, values }: Call): Promise<number> {
  const [cluster] = args
  if (cluster === undefined) throw new UsageError('Name the cluster: bey kubeconfig <cluster>.')
  const { client, terminal, flags, signal } = session
  const id = await idOf(client, 'clusters', cluster, signal)
  const { hours } = values
  const text = await client.call(
    'clusters.kubeconfig',
    { params: { id }, query: { ...(hours !== undefined && { expires_in_hours: Number(hours) }) } },
    { signal },
  )
  const { file } = values
  if (typeof file === 'string') {
    writeFileSync(file, text, { mode: 0o600 })
    // The mode above is only that of a new file.
    chmodSync(file, 0o600)
    if (formatOf(flags) === 'table') terminal.note(`Written. Use it with: export KUBECONFIG=${file}\n`)
    else printReply(terminal, { file }, flags, { columns: [] })
  } else if (formatOf(flags) === 'json') printReply(terminal, { kubeconfig: text }, flags, { columns: [] })
  else terminal.out(text)
  return exitCodes.ok
}
