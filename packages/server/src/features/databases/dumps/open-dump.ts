import type { Readable } from 'node:stream'

import type { Member } from '../../../platform/act.ts'
import { AppError } from '../../../platform/errors.ts'
import { openCluster } from '../cnpg/cluster-rights.ts'
import { targetOf } from '../look-at-external.ts'
import { type DatabaseParts, placementOf } from '../parts.ts'
import type { DumpProgram, DumpTarget } from '../provider.ts'
import { derivedLogin, openSession } from '../sql/open-session.ts'
import type { DatabaseRow } from '../store.ts'

export type DumpParts = Pick<DatabaseParts, 'providers' | 'credentials'>

/** Custom format: compressed, restored in parts, and recognised as incomplete where its end is missing. */
const format = ['--format=custom', '--lock-wait-timeout=30s']

/** Where `pg_dump` of a Cluster of CloudNativePG runs, which is always of the version of its server. */
export type DumpPod = { pod: string }

/** Begins a dump. Throws AppError; the stream fails with a ConnectionProblem. */
export function openDump(
  parts: DumpParts,
  row: DatabaseRow,
  caller: Member,
  by: DumpPod | DumpProgram,
): Promise<Readable> {
  return 'pod' in by ? dumpInPod(parts, row, caller, by) : dumpHere(parts, row, by)
}

async function dumpHere(parts: DumpParts, row: DatabaseRow, program: DumpProgram): Promise<Readable> {
  return parts.providers.dumps.dump(program, await dumpTarget(parts, row), format)
}

async function dumpTarget(parts: DumpParts, row: DatabaseRow): Promise<DumpTarget> {
  const { credentialSecretId: secret, organizationId, databaseName } = row
  const password = secret === null ? null : (await parts.credentials.read(organizationId, secret)).password
  // It says what is wrong with the connection in the words of every other page, and makes the role that dumps.
  const session = await openSession(parts, row, 'dump', 'bey-dump')
  session.end().catch(() => undefined)
  const placement = placementOf(row)
  if (row.provider === 'embedded' && placement !== null && password !== null) {
    const login = derivedLogin(password, 'dump')
    const address = { host: '127.0.0.1', port: placement.port, tls: 'disable', caPem: null } as const
    return { ...address, ...login, databaseName, isOwn: true }
  }
  const target = targetOf(row)
  if (target === undefined) throw new AppError('conflict', `The database "${row.name}" has no address.`)
  return { ...target, password, isOwn: false }
}

/** In the name of the caller, and there as the administrator: the operator lets nobody else in without a password. */
async function dumpInPod(
  { providers: { cnpg } }: DumpParts,
  row: DatabaseRow,
  caller: Member,
  { pod }: DumpPod,
): Promise<Readable> {
  const { organizationId, clusterId } = row
  if (row.cnpg === null || clusterId === null) {
    throw new AppError('conflict', `The database "${row.name}" does not run on a connected cluster.`)
  }
  await openCluster(cnpg.clusters, caller, clusterId, ['kubernetes.exec'])
  const { namespace } = row.cnpg
  const command = ['pg_dump', ...format, '--username=postgres', '--no-password', `--dbname=${nameOf(row)}`]
  const person = { email: caller.user.email, role: caller.role }
  return cnpg.clusters.exec(organizationId, clusterId, person, {
    namespace,
    pod,
    container: 'postgres',
    command,
  })
}

/** As a connection string, so that no name is read as one: a name with an equals sign would be. */
function nameOf({ databaseName }: DatabaseRow): string {
  return `dbname='${databaseName.replaceAll(/[\\']/g, '\\$&')}'`
}
