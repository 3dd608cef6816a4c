import type { GodmodeUser } from '@bey/contract'
import { useId, useState } from 'react'
import type { SubmitEvent } from 'react'
import { impersonate, lastImpersonated, useGodmodeUsers } from '../../data/godmode.ts'
import { errorText } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterInput } from '../../ui/filter-input.tsx'

/** Chooses a user and logs in as them. */
export function ImpersonateForm({ onEntered }: { onEntered: () => void }) {
  const [last] = useState(lastImpersonated)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<GodmodeUser | undefined>(last)
  const [isEntering, setEntering] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const list = useGodmodeUsers(search)
  const { data } = list
  const failure = failureOf('Failed to load users', list)

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!chosen || isEntering) return
    setEntering(true)
    setRefusal(undefined)
    try {
      await impersonate(chosen)
      onEntered()
    } catch (refused) {
      setRefusal(refused)
      setEntering(false)
    }
  }

  if (failure) return <ErrorState {...failure} isCompact />
  const found = data?.users ?? []
  // Whom one was last comes first, wherever the list has them.
  const users = last && !search ? [last, ...found.filter((user) => user.id !== last.id)] : found
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
      <div className="[&>div]:sm:w-full">
        <FilterInput label="Filter users" value={search} onChange={setSearch} />
      </div>
      <UserChoice
        users={users}
        lastId={last?.id}
        chosenId={chosen?.id}
        onChoose={setChosen}
        empty={data ? `No user matches "${search}".` : 'Loading...'}
      />
      {data && data.total > found.length ? (
        <p className="text-small text-text-3">
          {found.length} of {data.total} users. Filter by name or email address to find the others.
        </p>
      ) : null}
      {refusal === undefined ? null : (
        <ErrorState {...errorText('Failed to impersonate user', refusal)} isCompact />
      )}
      <Button
        type="submit"
        busy={isEntering}
        disabledReason={chosen ? undefined : 'Choose a user first.'}
        className="self-start"
      >
        {chosen ? `Impersonate ${chosen.name}` : 'Impersonate'}
      </Button>
    </form>
  )
}

interface UserChoiceProps {
  users: readonly GodmodeUser[]
  lastId: number | undefined
  chosenId: number | undefined
  onChoose: (user: GodmodeUser) => void
  empty: string
}

function UserChoice({ users, lastId, chosenId, onChoose, empty }: UserChoiceProps) {
  const name = useId()
  if (users.length === 0) return <p className="py-2 text-text-2">{empty}</p>
  return (
    <fieldset className="max-h-56 overflow-y-auto rounded-control border border-line">
      <legend className="sr-only">User</legend>
      {users.map((user) => (
        // Its text stands deeper than the rule looks.
        // oxlint-disable-next-line jsx-a11y/label-has-associated-control
        <label
          key={user.id}
          className={cx(
            'flex items-center gap-2.5 border-b border-line px-2.5 py-1.5 last:border-b-0 hover:bg-hover',
            user.id === chosenId && 'bg-accent-soft',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={user.id === chosenId}
            onChange={() => onChoose(user)}
            className="shrink-0"
          />
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-2">
              <span className="truncate font-medium">{user.name}</span>
              {user.id === lastId ? <Badge>last time</Badge> : null}
            </span>
            <span className="block truncate text-small text-text-2">{user.email}</span>
          </span>
          <span className="min-w-0 max-w-[45%] text-right text-small text-text-2">
            <span className="block truncate">{user.organizationName || 'No organization'}</span>
            <span className="block text-text-3">{user.role?.toLowerCase() ?? ''}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
