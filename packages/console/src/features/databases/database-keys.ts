import { deniedReason } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import type { Database } from '../../data/databases.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { databaseHref } from '../../entities/databases/database-text.ts'
import { causeOf } from '../../lib/error-text.ts'
import { toast } from '../../ui/toast.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'

/** Keys of the page of a database: its first nine tabs by their number, and the console. */
export function useDatabaseKeys(id: string, tabs: readonly { id: string; label: string }[]): void {
  const navigate = useNavigate()
  const open = (tab: string) => void navigate({ href: databaseHref(id, tab) })
  usePageKeys('This database', [
    ...tabs.slice(0, 9).map((tab, index) => ({
      keys: [String(index + 1)],
      does: `Open ${tab.label}`,
      run: () => open(tab.id),
    })),
    ...(tabs.some((tab) => tab.id === 'sql')
      ? [{ keys: ['q'], does: 'Open SQL', run: () => open('sql') }]
      : []),
  ])
}

/** Keys of the list, for the row that has the focus. */
export function useDatabaseListKeys(rows: readonly Database[] | undefined): void {
  const navigate = useNavigate()
  const backUp = useChange('databases.backups.create')
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'databases.backup')
  const onFocused = (act: (database: Database) => void) => () => {
    const row = document.activeElement?.closest('tr[data-row]')?.getAttribute('data-row')
    const database = row == null ? undefined : rows?.[Number(row)]
    if (database !== undefined) act(database)
  }
  usePageKeys('Databases', [
    {
      keys: ['c'],
      does: 'Connect to the database in the focused row',
      run: onFocused(({ id }) => void navigate({ href: databaseHref(id, 'connect') })),
    },
    {
      keys: ['b'],
      does: 'Back up the database in the focused row',
      run: onFocused(({ id, name }) => {
        const refusal = stale ?? denied
        if (refusal !== undefined) {
          toast('error', refusal)
          return
        }
        backUp.mutate(
          { params: { id } },
          {
            onSuccess: () => toast('success', `The backup of ${name} started`),
            onError: (error) => toast('error', `${name} was not backed up: ${causeOf(error)}`),
          },
        )
      }),
    },
  ])
}
