import { useNavigate } from '@tanstack/react-router'
import type { DatabaseClusterPlace } from '../../../data/databases.ts'
import { useChange } from '../../../data/use-change.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Section } from '../../../ui/section.tsx'
import { toast } from '../../../ui/toast.ts'

/** Clusters of CloudNativePG that exist already: each can be managed here, and nothing of it is changed by that. */
export function FoundClusters({
  places,
  disabledReason,
}: {
  places: readonly DatabaseClusterPlace[]
  disabledReason: string | undefined
}) {
  const rows = places.flatMap((place) => place.found.map((found) => ({ place, found })))
  const adopt = useChange('databases.adopt')
  const navigate = useNavigate()
  if (rows.length === 0) return null
  return (
    <Section title="Found on your clusters">
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line">
        {rows.map(({ place, found }) => {
          const { namespace, name, instances, readyInstances, databaseId } = found
          const body = { clusterId: place.id, namespace, cluster: name }
          const isBusy = adopt.isPending && adopt.variables.body.cluster === name
          return (
            <li key={`${place.id}/${namespace}/${name}`} className="flex items-center gap-3 px-3 py-2">
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium" title={name}>
                  {name}
                </p>
                <p className="truncate text-small text-text-3" title={found.phase}>
                  {place.title} / {namespace} · {readyInstances} of {instances} ready
                  {found.phase === '' ? '' : ` · ${found.phase}`}
                </p>
              </div>
              {databaseId === null ? (
                <Button
                  size="small"
                  busy={isBusy}
                  disabledReason={disabledReason}
                  aria-label={`Manage ${name} here`}
                  onClick={() =>
                    adopt.mutate(
                      { body },
                      {
                        onSuccess: ({ id }) => void navigate({ href: databaseHref(id) }),
                        onError: (error) => toast('error', `Failed to manage ${name}: ${causeOf(error)}`),
                      },
                    )
                  }
                >
                  Manage it here
                </Button>
              ) : (
                <ButtonLink size="small" href={databaseHref(databaseId)}>
                  Open
                </ButtonLink>
              )}
            </li>
          )
        })}
      </ul>
      <p className="mt-1.5 text-small text-text-3">Bey changes nothing in it until you do.</p>
    </Section>
  )
}
