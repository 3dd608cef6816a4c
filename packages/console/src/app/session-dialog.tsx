import { unauthorizedText } from '@bey/client'
import { isEmail } from '@bey/contract'
import type { User } from '@bey/contract'
import { useMatches } from '@tanstack/react-router'
import { useSession } from '../data/session.ts'
import { LoginFields } from '../features/auth/login-fields.tsx'
import { SecondFactorStep } from '../features/auth/second-factor-step.tsx'
import { useLogin } from '../features/auth/use-login.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { endSession } from './sign-out.ts'

/** Over the page whose session has expired: it goes on where it was once its user has logged in again. */
export function SessionDialog() {
  const state = useSession()
  const isGuarded = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId === '/guarded') })
  const user = state.phase === 'expired' && isGuarded ? state.user : undefined
  return (
    <Dialog
      open={user !== undefined}
      onOpenChange={() => undefined}
      isRequired
      opensByItself
      size="small"
      title={unauthorizedText}
      description="Your session has ended. The page stays as it is, with everything you typed."
    >
      {user ? <LoginAgain user={user} /> : null}
    </Dialog>
  )
}

function LoginAgain({ user }: { user: User }) {
  const login = useLogin({ email: user.email })
  const isSomebodyElse = isEmail(login.email) && login.email.trim().toLowerCase() !== user.email.toLowerCase()

  if (login.challenge) {
    return <SecondFactorStep challenge={login.challenge} onBack={() => login.setChallenge(undefined)} />
  }
  return (
    <form onSubmit={login.submit} className="flex flex-col gap-4 pb-1">
      <LoginFields login={login} />
      {isSomebodyElse ? (
        <Notice tone="warn" title="You are logging in as another user">
          This page belongs to {user.email}: it is closed, and what was typed in it is lost.
        </Notice>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button onClick={() => void endSession()}>Log out instead</Button>
        <Button
          type="submit"
          variant="primary"
          busy={login.isSubmitting}
          disabled={!login.isSubmitting && !login.isComplete}
        >
          Login
        </Button>
      </div>
    </form>
  )
}
