import { useRead } from '../../../data/use-read.ts'

/** The databases of the organization, by which rules name their peers. */
export function useDatabaseNames(): readonly { id: string; name: string }[] {
  return useRead('databases.list', { query: { limit: 200 } }).data?.databases ?? []
}
