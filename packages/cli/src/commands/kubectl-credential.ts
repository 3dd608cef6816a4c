import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hash } from 'node:crypto'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { CommandError, exitCodes, UsageError } from '../errors.ts'
import { idOf } from '../names.ts'
import type { Session } from '../session.ts'
import type { Call } from './hand-made.ts'

type Kept = { token: string; expiresAt: string }

const hours = 1
/** A token that ends sooner is not handed out. */
const marginMs = 5 * 60_000

/**
 * Credential plug-in of kubectl (client.authentication.k8s.io/v1). kubectl asks before each command, so a token is kept
 * for the hour that it lives: a user can have 20 of them.
 */
export async function kubectlCredential({ session, args }: Call): Promise<number> {
  const [cluster] = args
  if (cluster === undefined) throw new UsageError('Name the cluster: bey kubectl-credential <cluster>')
  const id = await idOf(session.client, 'clusters', cluster, session.signal)
  const file = fileOf(session, id)
  const { token, expiresAt } = readKept(file) ?? (await newToken(session, id, file))
  session.terminal.out(
    `${JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token, expirationTimestamp: expiresAt },
    })}\n`,
  )
  return exitCodes.ok
}

/** One for each server, organization, login and cluster. */
function fileOf({ env, target }: Session, id: string | number): string {
  const base = env['XDG_CACHE_HOME'] ?? join(env['HOME'] ?? homedir(), '.cache')
  const key = hash('sha256', [target.url, target.organizationId ?? '', target.token ?? '', id].join('\n'))
  return join(base, 'bey', `kubectl-${key.slice(0, 32)}.json`)
}

function readKept(file: string): Kept | undefined {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept
    return Date.parse(kept.expiresAt) - Date.now() > marginMs ? kept : undefined
  } catch {
    // There is none, or an earlier version wrote it: a new one is asked for.
    return undefined
  }
}

async function newToken({ client, signal }: Session, id: string | number, file: string): Promise<Kept> {
  const expiresAt = new Date(Date.now() + hours * 3_600_000).toISOString()
  const yaml = await client.call(
    'clusters.kubeconfig',
    { params: { id: Number(id) }, query: { expires_in_hours: hours } },
    { signal },
  )
  const { users } = parse(yaml) as { users?: { user?: { token?: string } }[] }
  const token = users?.[0]?.user?.token
  if (token === undefined) throw new CommandError('The server answered a kubeconfig without a token.')
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Written whole, and read by its owner alone.
  const part = `${file}.${process.pid}`
  writeFileSync(part, JSON.stringify({ token, expiresAt }), { mode: 0o600 })
  chmodSync(part, 0o600)
  renameSync(part, file)
  return { token, expiresAt }
}
