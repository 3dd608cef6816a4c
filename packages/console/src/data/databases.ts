import type { CallInput, CallOutput } from '@bey/contract'
import { apiKey, apiPath, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { refetchSoon } from './refetch-later.ts'

export type Database = CallOutput<'databases.get'>
export type DatabasePlaces = CallOutput<'databases.places'>
export type DatabaseClusterPlace = CallOutput<'databases.clusters'>['clusters'][number]
export type DatabaseTest = CallOutput<'databases.test'>
export type DatabaseListQuery = NonNullable<CallInput<'databases.list'>['query']>
type DatabaseList = CallOutput<'databases.list'>

const databasesPath = apiPath('databases.list')

export const databaseReducers: Pick<
  LiveReducers,
  'DATABASES_UPDATE' | 'DATABASE_FIGURES_UPDATE' | 'DATABASE_BACKUPS_UPDATE'
> = {
  DATABASES_UPDATE: (cache, { organizationId }) => {
    refetchBelow(cache, organizationId, databasesPath)
    refetchSoon(cache, apiKey(organizationId, 'analytics.dashboard'))
  },
  DATABASE_BACKUPS_UPDATE: (cache, { organizationId, data: { databaseId } }) =>
    refetchBelow(cache, organizationId, apiPath('databases.get', { id: databaseId })),
  DATABASE_FIGURES_UPDATE: (cache, { organizationId, data: { databaseId, figures } }) => {
    const withFigures = (database: Database): Database =>
      database.id === databaseId ? { ...database, figures } : database
    cache.setQueryData<Database>([apiPath('databases.get', { id: databaseId }), organizationId], (old) =>
      old === undefined ? undefined : withFigures(old),
    )
    cache.setQueriesData<DatabaseList>({ queryKey: [databasesPath, organizationId] }, (old) =>
      old === undefined ? undefined : { ...old, databases: old.databases.map(withFigures) },
    )
  },
}
