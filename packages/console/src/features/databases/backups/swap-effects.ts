import type { CallOutput } from '@bey/contract'
import { formatCount } from '../../../lib/format.ts'

type Sessions = Pick<CallOutput<'databases.sessions'>, 'total'> & {
  sessions: readonly { client: string; hasChanges: boolean }[]
}
type Relations = {
  relations: readonly { schema: string; name: string; kind: string }[]
  isTruncated: boolean
}

/** Names in one sentence: the rest is counted. */
const maxNames = 5

/** Who is affected by the end of all connections to a database, a sentence each. */
export function affectedBySwap({ sessions, total }: Sessions): string[] {
  const losing = [...new Set(sessions.filter(({ hasChanges }) => hasChanges).map(({ client }) => client))]
  return [
    total === 0
      ? 'No one is connected to it now'
      : `${formatCount(total, 'connection')} to it now: each has to be opened again`,
    ...(losing.length === 0 ? [] : [`What ${namesText(losing)} changed and did not commit is rolled back`]),
  ]
}

/** In which tables a copy differs from the database whose place it takes, a sentence each; rows are not compared. */
export function tablesThatDiffer(copy: Relations, source: Relations): string[] {
  if (copy.isTruncated || source.isTruncated) return ['Tables are not compared: there are too many']
  const [there, here] = [tablesOf(copy), tablesOf(source)]
  const back = there.filter((name) => !here.includes(name))
  const left = here.filter((name) => !there.includes(name))
  if (back.length + left.length === 0) return ['Both have the same tables; their rows are not compared']
  return [
    ...(back.length === 0
      ? []
      : [
          `${formatCount(back.length, 'table')} ${back.length === 1 ? 'comes' : 'come'} back: ${namesText(back)}`,
        ]),
    ...(left.length === 0
      ? []
      : [
          `${formatCount(left.length, 'table')} ${left.length === 1 ? 'stays' : 'stay'} in the old database alone: ${namesText(left)}`,
        ]),
  ]
}

function tablesOf({ relations }: Relations): string[] {
  return relations
    .filter(({ kind }) => kind === 'table' || kind === 'partitioned table')
    .map(({ schema, name }) => (schema === 'public' ? name : `${schema}.${name}`))
    .toSorted()
}

function namesText(names: readonly string[]): string {
  const rest = names.length - maxNames
  return `${names.slice(0, maxNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
