import { oauthRefusalText, type SecondFactorChallenge } from '@bey/contract'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../../data/session.ts'
import { exchangeOauth, useSignInOptions } from '../../data/sign-in.ts'
import { errorMessage } from '../../lib/error-text.ts'
import { stepUpChannel } from '../../lib/step-up-channel.ts'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { AuthLayout } from './auth-layout.tsx'
import { type OauthEnd, oauthEndOf } from './oauth-end.ts'
import { SecondFactorStep } from './second-factor-step.tsx'

/** Where a provider's sign-in comes back to: it begins the session, or says why not. */
export function OauthCallbackPage() {
  // Read once: the code leaves the address as soon as it is used.
  const [end] = useState(() => oauthEndOf(location.hash))
  switch (end.kind) {
    case 'code':
      return <Exchange code={end.code} from={end.from} />
    case 'link':
      return <Linked />
    case 'confirm':
      return <Confirmed />
    case 'error':
      return <Refused end={end} />
  }
}

// One exchange for each code, however often React mounts the page.
let exchanged: { code: string; reply: ReturnType<typeof exchangeOauth> } | undefined

function Exchange({ code, from }: { code: string; from: string }) {
  const router = useRouter()
  const state = useSession()
  const [challenge, setChallenge] = useState<SecondFactorChallenge>()
  const [hasEntered, setEntered] = useState(false)
  const [error, setError] = useState<string>()
  useEffect(() => {
    if (exchanged?.code !== code) {
      exchanged = { code, reply: exchangeOauth(code) }
      history.replaceState(history.state, '', location.pathname)
    }
    exchanged.reply.then(
      (reply) => ('token' in reply ? setEntered(true) : setChallenge(reply.secondFactor)),
      (failure: unknown) => setError(errorMessage(failure, 'Failed to login')),
    )
  }, [code])
  const isInside = state.phase === 'signed-in' && (hasEntered || challenge !== undefined)
  useEffect(() => {
    if (isInside) void router.navigate({ href: from, replace: true })
  }, [isInside, router, from])

  if (error !== undefined) return <Failure title="You are not logged in">{error}</Failure>
  if (challenge === undefined || isInside) {
    return (
      <main id="main" tabIndex={-1} className="p-6 text-text-2">
        Loading...
      </main>
    )
  }
  return (
    <AuthLayout>
      <h1 className="text-title font-semibold">Confirm that it is you</h1>
      <p className="mt-1 mb-6 text-text-2">Your account asks for a second factor.</p>
      <SecondFactorStep
        challenge={challenge}
        onBack={() => void router.navigate({ to: '/login', replace: true })}
      />
    </AuthLayout>
  )
}

function Linked() {
  const router = useRouter()
  useEffect(() => {
    toast('success', 'Account linked', { description: 'You can log in with it from now on.' })
    void router.navigate({ to: '/profile', replace: true })
  }, [router])
  return null
}

function Confirmed() {
  useEffect(() => {
    const channel = new BroadcastChannel(stepUpChannel)
    channel.postMessage('confirmed')
    channel.close()
    window.close()
  }, [])
  return (
    <AuthLayout>
      <h1 className="text-title font-semibold">Confirmed</h1>
      <p className="mt-2 text-text-2">Close this tab and go on in the one from which you came.</p>
    </AuthLayout>
  )
}

function Refused({ end }: { end: Extract<OauthEnd, { kind: 'error' }> }) {
  const options = useSignInOptions()
  const label = options?.providers.find(({ id }) => id === end.provider)?.label ?? 'the provider'
  const text = oauthRefusalText(end.error, label)
  return <Failure title="You are not logged in">{text.charAt(0).toUpperCase() + text.slice(1)}</Failure>
}

function Failure({ title, children }: { title: string; children: string }) {
  const state = useSession()
  const isInside = state.phase === 'signed-in'
  return (
    <AuthLayout>
      <h1 className="mb-4 text-title font-semibold">{isInside ? 'That did not work' : title}</h1>
      <Notice tone="danger" title={children} />
      <p className="mt-6">
        <Link
          to={isInside ? '/profile' : '/login'}
          className="font-medium text-accent-text underline-offset-2 hover:underline"
        >
          {isInside ? 'Back to your profile' : 'Back to login'}
        </Link>
      </p>
    </AuthLayout>
  )
}
