import { databaseLimits, isValidDatabaseName } from '@bey/contract'
import { useRead } from '../../../data/use-read.ts'

/** Whether another database has this name; undefined while that is not known or it is no name of a database. */
export function useTakenName(name: string): boolean | undefined {
  const { data } = useRead('databases.list', {
    query: { limit: databaseLimits.perOrganization, sort: 'name' },
  })
  if (data === undefined || !isValidDatabaseName(name)) return undefined
  if (data.databases.some((each) => each.name === name)) return true
  return data.databases.length < data.total ? undefined : false
}
