import type { DatabaseProviderId } from '@bey/contract'
import { useId } from 'react'
import type { DatabasePlaces } from '../../data/databases.ts'
import { cx } from '../../ui/class-names.ts'

interface Place {
  id: DatabaseProviderId
  label: string
  about: string
  ifLost: string
}

/** Where the database is: on the machine of Bey, on a connected cluster, or somewhere else already. */
export function PlaceChoice({
  chosen,
  onChange,
  places,
  isBackedUpElsewhere,
}: {
  chosen: DatabaseProviderId
  onChange: (place: DatabaseProviderId) => void
  places: DatabasePlaces
  /** The backups of one on this machine outlive it. */
  isBackedUpElsewhere: boolean
}) {
  const name = useId()
  const rows: readonly Place[] = [
    {
      id: 'embedded',
      label: 'On this machine',
      about: `PostgreSQL ${places.embedded.version}, run by Bey`,
      ifLost: isBackedUpElsewhere ? 'restored from its backups' : 'lost with it',
    },
    {
      id: 'cnpg',
      label: 'On a cluster',
      about: 'CloudNativePG on a connected cluster',
      ifLost: 'goes on with replicas',
    },
    {
      id: 'external',
      label: 'It exists already',
      about: 'PostgreSQL, MySQL, MariaDB, Redis, Valkey, by address',
      ifLost: 'up to its owner',
    },
  ]
  return (
    <fieldset>
      <legend className="mb-1.5 flex w-full justify-between gap-4 font-medium">
        Where
        <span className="text-small font-normal text-text-3">If this machine is lost</span>
      </legend>
      <div className="divide-y divide-line overflow-hidden rounded-card border border-line-strong">
        {rows.map(({ id, label, about, ifLost }) => (
          <label
            key={id}
            className={cx(
              'flex min-h-9 cursor-pointer flex-wrap items-center gap-x-2.5 px-3 py-1.5 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-ring',
              id === chosen ? 'bg-accent-soft' : 'hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={id === chosen}
              onChange={() => onChange(id)}
              className="size-4 shrink-0 outline-none"
            />
            <span className="font-medium">{label}</span>
            <span className="text-text-2">{about}</span>
            <span className="ml-auto text-text-2">{ifLost}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
