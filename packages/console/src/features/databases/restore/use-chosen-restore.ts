import { useSearch } from '@tanstack/react-router'
import { useChangeSearch } from '../../../lib/change-search.ts'
import { type RestorePlace, restorePlaces } from './restore-place.ts'
import { removedTable, type TableInto } from './table-choice.ts'
import type { RestoreFacts } from './use-restore-facts.ts'

type Chosen = { at?: unknown; backup?: unknown; to?: unknown; table?: unknown; into?: unknown }

/** What the address says of a restore, with what is proposed where it says nothing. */
export function useChosenRestore(facts: RestoreFacts) {
  const search: Chosen = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const backup = facts.backups.find(({ id }) => id === search.backup)
  const given = typeof search.at === 'string' ? Date.parse(search.at) : Number.NaN
  const atMs =
    backup?.consistentAt != null
      ? Date.parse(backup.consistentAt)
      : Number.isNaN(given)
        ? (facts.proposedMs ?? facts.latestMs)
        : given
  const place = restorePlaces.find((each) => each === search.to) ?? 'new'
  const into: TableInto = search.into === 'rows' ? 'rows' : 'table'
  return {
    atMs,
    /** Nobody chose a moment, and none is proposed: as late as possible. */
    isLatest: backup === undefined && Number.isNaN(given) && facts.proposedMs === undefined,
    backup,
    place,
    into,
    table: typeof search.table === 'string' ? search.table : removedTable(facts.statements),
    choose: ({ atMs: ms, backupId }: { atMs: number; backupId?: string | undefined }) =>
      changeSearch(
        backupId === undefined
          ? { at: new Date(ms).toISOString(), backup: undefined }
          : { at: undefined, backup: backupId },
      ),
    chooseTable: (table: string) => changeSearch({ table }),
    chooseInto: (to: TableInto) => changeSearch({ into: to === 'table' ? undefined : to }),
    choosePlace: (to: RestorePlace) => changeSearch({ to: to === 'new' ? undefined : to }),
  }
}
