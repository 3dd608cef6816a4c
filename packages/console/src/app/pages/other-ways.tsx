import { useState } from 'react'
import { session, useCurrentOrganization, useUser } from '../../data/session.ts'
import { errorMessage } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'

const maxShown = 5

/** What else somebody can do whom an organization does not let in: work in another one, or log out. */
export function OtherWays() {
  const user = useUser()
  const current = useCurrentOrganization()
  const [error, setError] = useState<string>()
  const others = user?.organizations.filter(({ id }) => id !== current?.id).slice(0, maxShown) ?? []
  const switchTo = (id: number) =>
    session.switchOrganization(id).catch((failure: unknown) => {
      setError(errorMessage(failure, 'The organization could not be switched'))
    })
  return (
    <div className="mt-8 flex flex-col gap-3 border-t border-line pt-4">
      <p className="text-small text-text-3">
        Logged in as <span className="break-all">{user?.email}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        {others.map(({ id, name }) => (
          <Button key={id} size="small" onClick={() => void switchTo(id)}>
            Work in {name}
          </Button>
        ))}
        <Button size="small" onClick={() => void session.logout()}>
          Log out
        </Button>
      </div>
      <div role="alert" className={error ? 'text-danger' : 'hidden'}>
        {error}
      </div>
    </div>
  )
}
