import { databaseLimits } from '@bey/contract'
import { useState } from 'react'
import type { DatabasePlaces } from '../../../data/databases.ts'
import type { FieldErrors } from '../../../lib/use-submission.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Disclosure } from './disclosure.tsx'

/** Which extensions are installed in the new database. */
export function ExtensionFields({
  offered,
  chosen,
  errors,
  disabledReason,
  onChange,
}: {
  offered: readonly DatabasePlaces['embedded']['extensions'][number][]
  chosen: readonly string[]
  errors: FieldErrors
  /** Why none can be installed. */
  disabledReason: string | undefined
  onChange: (extensions: readonly string[]) => void
}) {
  const [filter, setFilter] = useState('')
  const text = filter.toLowerCase()
  const shown = offered.filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(text))
  const error = Object.entries(errors).find(([path]) => path.startsWith('extensions'))?.[1]
  const isFull = chosen.length >= databaseLimits.newExtensions
  return (
    <Disclosure
      title="Extensions"
      aside={chosen.length === 0 ? 'none' : chosen.join(', ')}
      isForced={error !== undefined}
    >
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <FilterInput label="Filter extensions" value={filter} onChange={setFilter} />
          <p className="text-small text-text-3">
            {disabledReason ?? `Up to ${databaseLimits.newExtensions}; others can be installed later.`}
          </p>
        </div>
        {error === undefined ? null : <Notice tone="danger" title={error} />}
        {shown.length === 0 ? (
          <p className="text-text-2">No extension matches “{filter}”.</p>
        ) : (
          <ul
            aria-label="Extensions"
            // A box that scrolls must be reachable by keyboard, also where nothing in it can be chosen.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={disabledReason === undefined ? undefined : 0}
            className="grid max-h-72 gap-x-4 gap-y-2 overflow-y-auto rounded-control border border-line p-3 sm:grid-cols-2"
          >
            {shown.map(({ name, about }) => {
              const isChosen = chosen.includes(name)
              return (
                <li key={name} className="min-w-0 break-words">
                  <Checkbox
                    label={name}
                    hint={about}
                    checked={isChosen}
                    disabled={disabledReason !== undefined || (isFull && !isChosen)}
                    onChange={({ target }) =>
                      onChange(target.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
                    }
                  />
                </li>
              )
            })}
          </ul>
        )}
      </div>
    </Disclosure>
  )
}
