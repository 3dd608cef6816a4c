import { effectiveAllowList } from '@bey/contract'
import type { Database, DatabasePlaces } from '../../data/databases.ts'
import { useRead } from '../../data/use-read.ts'

/** How clients on other machines reach a database; undefined where it admits none, or until that is known. */
export function useClientAccess(
  database: Pick<Database, 'provider' | 'allowList' | 'networkAccess'>,
): NonNullable<DatabasePlaces['embedded']['clientAccess']> | undefined {
  const admitsOthers = database.provider === 'embedded' && effectiveAllowList(database).length > 0
  const { data } = useRead('databases.places', {}, { isEnabled: admitsOthers })
  return admitsOthers ? (data?.embedded.clientAccess ?? undefined) : undefined
}
