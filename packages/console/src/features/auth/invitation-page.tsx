import type { InvitationPreview } from '@bey/contract'
import { useEffect, useState } from 'react'
import { invitationToken, previewInvitation } from '../../data/invitations.ts'
import { causeOf } from '../../lib/error-text.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { OpenInvitation } from './open-invitation.tsx'

type Shown =
  | { phase: 'loading' }
  | { phase: 'open'; invitation: InvitationPreview }
  | { phase: 'declined' }
  | { phase: 'failed'; reason: string }

/** Where the link of an invitation leads: says who invites to what, then accepts in one step, signed in or not. */
export function InvitationPage() {
  // Browsers keep the fragment to themselves, so no log ever holds the token.
  const [token] = useState(invitationToken)
  const [shown, setShown] = useState<Shown>({ phase: 'loading' })
  useEffect(() => {
    let isLeft = false
    previewInvitation(token).then(
      (invitation) => (isLeft ? undefined : setShown({ phase: 'open', invitation })),
      (error: unknown) => (isLeft ? undefined : setShown({ phase: 'failed', reason: causeOf(error) })),
    )
    return () => {
      isLeft = true
    }
  }, [token])
  return (
    <AuthLayout>
      <Content token={token} shown={shown} onDeclined={() => setShown({ phase: 'declined' })} />
    </AuthLayout>
  )
}

interface ContentProps {
  token: string
  shown: Shown
  onDeclined: () => void
}

function Content({ token, shown, onDeclined }: ContentProps) {
  switch (shown.phase) {
    case 'loading':
      return <h1 className="text-title font-semibold">Loading...</h1>
    case 'failed':
      return (
        <>
          <h1 className="mb-4 text-title font-semibold">This invitation cannot be opened</h1>
          <Notice tone="danger" title={shown.reason} />
          <div className="mt-4">
            <ButtonLink href="/">Go to the console</ButtonLink>
          </div>
        </>
      )
    case 'declined':
      return (
        <>
          <h1 className="text-title font-semibold">Invitation declined</h1>
          <p className="mt-1 text-text-2">Its link no longer works. You can close this page.</p>
        </>
      )
    case 'open':
      return <OpenInvitation token={token} invitation={shown.invitation} onDeclined={onDeclined} />
  }
}
