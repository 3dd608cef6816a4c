import { chmodSync, writeFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'
import { exitCodes, UsageError } from '../errors.ts'
import { idOf } from '../names.ts'
import { formatOf, printReply } from '../output/print.ts'
import type { Session } from '../session.ts'
import type { Call } from './hand-made.ts'

/** Prints a kubeconfig, or writes it to a file that only its owner reads. */
export async function kubeconfig({ session, args, values }: Call): Promise<number> {
  const [cluster] = args
  if (cluster === undefined) throw new UsageError('Name the cluster: bey kubeconfig <cluster>.')
  const { client, terminal, flags, signal } = session
  const id = await idOf(client, 'clusters', cluster, signal)
  // The token of a file that asks bey for others is not kept.
  const hours = values['exec'] === true ? 1 : values['hours']
  const answered = await client.call(
    'clusters.kubeconfig',
    { params: { id }, query: { ...(hours !== undefined && { expires_in_hours: Number(hours) }) } },
    { signal },
  )
  const text = values['exec'] === true ? withPlugin(answered, String(id), session) : answered
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

/** The same without a token: kubectl asks `bey` for one of an hour before each command. */
function withPlugin(text: string, id: string, { flags, target }: Session): string {
  const config = parse(text) as { users: { user: object }[] }
  const args = ['kubectl-credential', id, '--url', target.url]
  if (target.organizationId !== undefined) args.push('--organization', String(target.organizationId))
  if (flags.context !== undefined) args.push('--context', flags.context)
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'bey',
    args,
    interactiveMode: 'Never',
    installHint: 'bey is not installed, or not in PATH. See Workspace settings, Command line.',
  }
  return stringify({ ...config, users: config.users.map((each) => ({ ...each, user: { exec } })) })
}
