import type { DatabaseProviderId } from '@bey/contract'
import { useId } from 'react'
import type { DatabasePlaces } from '../../../data/databases.ts'
import { cx } from '../../../ui/class-names.ts'
import { readyTime } from './ready-text.ts'

interface Place {
  id: DatabaseProviderId
  label: string
  about: string
  ifLost: string
  /** How long its creation takes; undefined where that was not measured. */
  readyIn: string | undefined
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
      about: `PostgreSQL ${places.embedded.version}`,
      ifLost: isBackedUpElsewhere ? 'restored from its backups' : 'lost with it',
      readyIn: readyTime(places.readyIn.embedded),
    },
    {
      id: 'cnpg',
      label: 'On a cluster',
      about: 'CloudNativePG',
      ifLost: 'up to the cluster',
      readyIn: readyTime(places.readyIn.cnpg),
    },
    {
      id: 'external',
      label: 'It exists already',
      about: 'by its address',
      ifLost: 'up to its owner',
      readyIn: undefined,
    },
  ]
  const isMeasured = rows.some(({ readyIn }) => readyIn !== undefined)
  const columns = isMeasured
    ? 'sm:grid-cols-[1rem_minmax(0,1fr)_11rem_4.5rem]'
    : 'sm:grid-cols-[1rem_minmax(0,1fr)_11rem]'
  return (
    <fieldset>
      <legend className={cx('mb-1.5 grid w-full gap-x-2.5 px-3', columns)}>
        <span className="-ml-3 font-medium sm:col-span-2">Where</span>
        <span className="hidden text-small text-text-3 sm:block">If this machine is lost</span>
        {isMeasured ? <span className="hidden text-small text-text-3 sm:block">Ready in</span> : null}
      </legend>
      <div className="divide-y divide-line overflow-hidden rounded-card border border-line-strong">
        {rows.map(({ id, label, about, ifLost, readyIn }) => (
          <label
            key={id}
            className={cx(
              'grid min-h-9 cursor-pointer grid-cols-[1rem_minmax(0,1fr)] items-center gap-x-2.5 px-3 py-1.5 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-ring',
              columns,
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
            <span>
              <span className="font-medium">{label}</span> <span className="text-text-2">{about}</span>
            </span>
            <span className="text-text-2 max-sm:col-start-2 max-sm:text-small">
              <span className="sm:hidden">If this machine is lost: </span>
              {ifLost}
            </span>
            {readyIn === undefined ? null : (
              <span className="text-text-2 tabular-nums max-sm:col-start-2 max-sm:text-small">
                <span className="sm:hidden">Ready in </span>
                {readyIn}
              </span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
