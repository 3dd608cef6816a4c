import { useParams } from '@tanstack/react-router'
import { useRead } from '../../../data/use-read.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { failureOf, isMissing } from '../../../lib/failed-query.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { RestoreForm } from './restore-form.tsx'
import { RestoreMessage } from './restore-message.tsx'
import { RestorePlaceholder } from './restore-placeholder.tsx'
import type { RestoreSource } from './restore-source.ts'

/** Restores a database: to which moment, what differs, and where to. */
export function RestorePage() {
  const { id = '' } = useParams({ strict: false })
  const query = useRead('databases.get', { params: { id } })
  const isGone = isMissing(query)
  const deleted = useRead('databases.deletedBackups', { query: { limit: 200 } }, { isEnabled: isGone })
  const found = deleted.data?.databases.find((each) => each.id === id)
  const source: RestoreSource | undefined = query.data
    ? { id, name: query.data.name, plan: query.data.plan, live: query.data }
    : found && { id, name: found.name, plan: found.plan, live: undefined }
  const title = source === undefined ? 'Restore' : `Restore ${source.name}`
  usePageTitle(
    title,
    source?.live === undefined ? [] : [{ label: source.name, href: databaseHref(id) }],
    'Restore',
  )
  const failure =
    failureOf('Failed to fetch the database', isGone ? deleted : query) ??
    (isGone && deleted.data !== undefined && found === undefined ? 'missing' : undefined)
  if (failure === 'missing')
    return (
      <RestoreMessage id={id} title={title}>
        <EmptyState
          title="There is no such database in this organization"
          description="Neither a database nor backups of a deleted one have this address."
          action={<ButtonLink href="/databases">All databases</ButtonLink>}
        />
      </RestoreMessage>
    )
  if (failure !== undefined && source === undefined)
    return (
      <RestoreMessage id={id} title={title}>
        <ErrorState {...failure} />
      </RestoreMessage>
    )
  if (source === undefined) return <RestorePlaceholder title={undefined} />
  if (source.live !== undefined && source.live.provider !== 'embedded')
    return (
      <RestoreMessage id={id} title={title}>
        <EmptyState
          title={
            source.live.provider === 'cnpg'
              ? 'CloudNativePG restores it into a new Cluster'
              : 'It is restored where it runs'
          }
          description={
            source.live.provider === 'cnpg'
              ? 'Choose a Backup or a moment in its tab Backups. One table alone is not restored: a Cluster takes no server of Bey beside it.'
              : 'Its server is not run by Bey, which cannot copy its files and holds no backup of it.'
          }
          action={<ButtonLink href={databaseHref(id, 'backups')}>Open Backups</ButtonLink>}
        />
      </RestoreMessage>
    )
  return <RestoreForm key={id} source={source} title={title} />
}
