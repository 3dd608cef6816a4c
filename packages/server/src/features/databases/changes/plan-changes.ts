import {
  type DatabaseChangePlan,
  databaseCan,
  databasePlans,
  effectiveAllowList,
  listenAddresses,
  parameterProblem,
  parameterRefusal,
  type ParsedInput,
} from '@bey/contract'

import { AppError } from '../../../platform/errors.ts'
import { type ManageParts, withAdmin } from '../manage/open-admin.ts'
import type { DatabaseRow } from '../store.ts'
import { readParameters } from './parameters.ts'

export type Changes = ParsedInput<'databases.changes.create'>['body']
type Line = DatabaseChangePlan['changes'][number]

/**
 * What a change would do, from what the server says now. Throws AppError `invalid_request` for what PostgreSQL would not take.
 */
export async function planChanges(
  parts: ManageParts,
  row: DatabaseRow,
  changes: Changes,
): Promise<DatabaseChangePlan> {
  const refusal = databaseCan.change(row)
  if (refusal !== undefined) {
    throw new AppError('conflict', `The database "${row.name}" was left alone: ${refusal}`)
  }
  const lines = [
    ...planOf(row, changes),
    ...allowListOf(row, changes),
    ...(await parametersOf(parts, row, changes)),
  ]
  return {
    changes: lines,
    needsRestart: lines.some(({ needsRestart }) => needsRestart),
    connections: row.figures?.connections ?? 0,
    refusal: (await roomRefusal(parts, row, changes)) ?? null,
  }
}

function planOf(row: DatabaseRow, { plan }: Changes): Line[] {
  if (plan === undefined || plan === row.plan) return []
  const text = (id: typeof plan) => {
    const { label, memoryBytes, maxConnections } = databasePlans[id]
    return `${label}: ${Math.round(memoryBytes / 1024 ** 2)} MiB, ${maxConnections} connections`
  }
  return [{ what: 'Size', from: text(row.plan ?? 'small'), to: text(plan), needsRestart: true }]
}

function allowListOf(row: DatabaseRow, { allowList }: Changes): Line[] {
  if (allowList === undefined) return []
  const text = (list: readonly { cidr: string }[]) =>
    list.length === 0 ? 'this machine only' : list.map(({ cidr }) => cidr).join(', ')
  const [from, to] = [text(row.allowList), text(allowList)]
  if (from === to) return []
  if (row.networkAccess !== null) {
    const note = `, once it leaves the isolated network ${row.networkAccess.network}`
    return [
      { what: 'Reached from', from: text(effectiveAllowList(row)), to: `${to}${note}`, needsRestart: false },
    ]
  }
  const needsRestart = listenAddresses(row.allowList) !== listenAddresses(allowList)
  return [{ what: 'Reached from', from, to, needsRestart }]
}

async function parametersOf(
  parts: ManageParts,
  row: DatabaseRow,
  { parameters = {} }: Changes,
): Promise<Line[]> {
  if (Object.keys(parameters).length === 0) return []
  const known = new Map(
    (await withAdmin(parts, row, readParameters)).map((found) => [found.name.toLowerCase(), found]),
  )
  return Object.entries(parameters).map(([asked, value]) => {
    const found = known.get(asked.toLowerCase())
    if (found === undefined) throw invalid(`PostgreSQL has no parameter "${asked}".`)
    const { name, context, source } = found
    const problem =
      parameterRefusal(found, row.provider) ?? (value === null ? undefined : parameterProblem(found, value))
    if (problem !== undefined) throw invalid(problem.includes(name) ? problem : `${name}: ${problem}`)
    return {
      what: name,
      from: found.value,
      to: value ?? 'what it is without it',
      // What the size of the database decides is on the command line of the server, which a file does not override.
      needsRestart: context === 'postmaster' || source === 'command line' || isOfSize(name, value),
    }
  })
}

/** Taken back, such a value comes from the size of the database again, which the server is told when it starts. */
const isOfSize = (name: string, value: string | null) =>
  value === null && /^(work_mem|maintenance_work_mem|effective_cache_size|track_io_timing)$/.test(name)

async function roomRefusal(
  { providers }: ManageParts,
  row: DatabaseRow,
  { plan }: Changes,
): Promise<string | undefined> {
  if (plan === undefined || plan === row.plan) return undefined
  const more = databasePlans[plan].memoryBytes - databasePlans[row.plan ?? 'small'].memoryBytes
  return more <= 0 ? undefined : providers.embedded.refusalOf(more)
}

const invalid = (message: string) => new AppError('invalid_request', message)
