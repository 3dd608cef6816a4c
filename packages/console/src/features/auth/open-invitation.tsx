import type { InvitationPreview } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { acceptInvitation, rejectInvitation } from '../../data/invitations.ts'
import { session, useUser } from '../../data/session.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { InvitationAccount } from './invitation-account.tsx'
import { InvitationProviders } from './invitation-providers.tsx'
import { InvitationLogin } from './invitation-login.tsx'
import { actorText } from '@bey/contract'

export interface OpenInvitationProps {
  token: string
  invitation: InvitationPreview
  onDeclined: () => void
}

/** An invitation that waits: joined as the user who is signed in, after a login, or with a new account. */
export function OpenInvitation({ token, invitation, onDeclined }: OpenInvitationProps) {
  const { organizationName, invitedBy, email, role, hasAccount } = invitation
  const user = useUser()
  const navigate = useNavigate()
  const [isJoining, setJoining] = useState(false)
  const [isWanted, setWanted] = useState(false)
  const [error, setError] = useState<string>()

  /** Runs what ends in a membership, then opens the console in the organization. */
  const join = async (work: () => Promise<unknown>) => {
    setJoining(true)
    setError(undefined)
    try {
      await work()
      toast('success', `You now work in ${organizationName}`)
      await navigate({ to: '/', replace: true })
    } catch (failure) {
      setError(causeOf(failure))
      setJoining(false)
      setWanted(false)
    }
  }
  const decline = () =>
    rejectInvitation(token).then(onDeclined, (failure: unknown) => setError(causeOf(failure)))
  const isForOther = user !== undefined && user.email !== email

  return (
    <>
      <h1 className="text-title font-semibold break-words">Join {organizationName}</h1>
      <p className="mt-1 mb-6 text-text-2">
        {actorText(invitedBy)} invites <span className="break-all text-text">{email}</span> with the role{' '}
        {role}.
      </p>
      {isForOther ? (
        <Notice
          tone="warn"
          title={`You are logged in as ${user.email}`}
          actions={<Button onClick={() => void session.logout()}>Log out</Button>}
        >
          This invitation is for {email}.
        </Notice>
      ) : user ? (
        <JoinButton
          organizationName={organizationName}
          busy={isJoining}
          isImmediate={isWanted}
          onJoin={() => void join(() => acceptInvitation(token))}
        />
      ) : hasAccount ? (
        <InvitationLogin email={email} onSubmit={() => setWanted(true)} />
      ) : (
        <InvitationAccount
          token={token}
          email={email}
          busy={isJoining}
          onSubmit={(signUp) => void join(signUp)}
        />
      )}
      {user === undefined ? <InvitationProviders token={token} /> : null}
      <div role="alert" className={error ? 'mt-4 text-danger' : 'hidden'}>
        {error}
      </div>
      <p className="mt-6 text-text-2">
        You do not know them?{' '}
        <button
          type="button"
          className="min-h-6 rounded-badge font-medium text-accent-text underline-offset-2 hover:underline"
          onClick={() => void decline()}
        >
          Decline the invitation
        </button>
      </p>
    </>
  )
}

interface JoinButtonProps {
  organizationName: string
  busy: boolean
  /** The wish to join was said with the login: pressing again is not asked for. */
  isImmediate: boolean
  onJoin: () => void
}

function JoinButton({ organizationName, busy, isImmediate, onJoin }: JoinButtonProps) {
  const hasJoined = useRef(false)
  useEffect(() => {
    if (!isImmediate || hasJoined.current) return
    hasJoined.current = true
    onJoin()
  }, [isImmediate, onJoin])
  return (
    <Button variant="primary" className="w-full" busy={busy} onClick={onJoin}>
      Join {organizationName}
    </Button>
  )
}
