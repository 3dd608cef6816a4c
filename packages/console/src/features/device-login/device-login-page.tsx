import { normalizeUserCode } from '@bey/contract'
import { useState } from 'react'
import { useDeviceLogin } from '../../data/device-login.ts'
import { session, useCurrentOrganization, useUser } from '../../data/session.ts'
import { codeOf, errorText } from '../../lib/error-text.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CodeForm } from './code-form.tsx'
import { DeviceLoginEnd } from './device-login-end.tsx'
import type { EndOfLogin } from './device-login-end.tsx'
import { DeviceLoginRequest } from './device-login-request.tsx'

/** Where `bey login` sends people: they compare the code with their terminal and confirm it, or refuse. */
export function DeviceLoginPage() {
  const user = useUser()
  const organization = useCurrentOrganization()
  const [code, setCode] = useState(() =>
    normalizeUserCode(new URLSearchParams(location.search).get('code') ?? ''),
  )
  const [end, setEnd] = useState<EndOfLogin>()
  return (
    <div className="flex min-h-dvh flex-col px-(--gutter)">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-5">
        <p className="flex items-center gap-2.5 text-lead font-semibold">
          <Mark size={24} />
          Bey
        </p>
        {user ? (
          <p className="flex min-w-0 items-center gap-2.5 text-text-2">
            <Avatar email={user.email} size={24} />
            <span className="min-w-0 truncate" title={user.email}>
              {user.name}
              {organization ? `, ${organization.name}` : ''}
            </span>
            <button
              type="button"
              className="shrink-0 rounded-badge underline underline-offset-4 hover:text-text"
              onClick={() => void session.logout()}
            >
              Not you?
            </button>
          </p>
        ) : null}
      </header>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-[35rem] flex-1 py-8 sm:pt-16">
        {end ? (
          <DeviceLoginEnd end={end} />
        ) : code === '' ? (
          <CodeForm onCode={setCode} />
        ) : (
          <Asked code={code} onEnd={setEnd} onOtherCode={() => setCode('')} />
        )}
      </main>
      <footer className="py-3 text-meta text-text-3">Recorded in the audit log either way</footer>
    </div>
  )
}

interface AskedProps {
  code: string
  onEnd: (end: EndOfLogin) => void
  onOtherCode: () => void
}

function Asked({ code, onEnd, onOtherCode }: AskedProps) {
  const request = useDeviceLogin(code)
  if (request.data) return <DeviceLoginRequest request={request.data} onEnd={onEnd} />
  if (!request.isError) {
    return (
      <>
        <h1 className="text-title font-semibold">Loading...</h1>
        <Skeleton className="mt-8 h-96" />
      </>
    )
  }
  const isEnded = ['ticket_expired', 'invalid_request'].includes(codeOf(request.error) ?? '')
  if (isEnded) return <DeviceLoginEnd end={{ status: 'ended' }} onOtherCode={onOtherCode} />
  return (
    <ErrorState
      {...errorText('The request could not be loaded', request.error)}
      onRetry={() => void request.refetch()}
    />
  )
}
