import type { OauthProvider } from '@bey/contract'
import { useState } from 'react'
import { oauthAddress, type SignInOptions } from '../../data/sign-in.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'

const specified = [
  { id: 'github', label: 'GitHub' },
  { id: 'google', label: 'Google' },
] as const

/** Why nobody can sign in while the server is away. */
export const unreachableText = 'The server cannot be reached.'

const reason = (provider: string) =>
  `This server is not set up for ${provider}. Its operator can do that under Workspace settings, Instance.`

interface OauthButtonsProps {
  verb: 'Login' | 'Sign up'
  isConnected: boolean
  /** Undefined while the server has not said how people sign in. */
  options: SignInOptions | undefined
  /** The page to open afterwards. */
  from: string | undefined
  /** Called before the browser leaves for the provider. */
  onLeave?: () => void
}

/** The buttons of the providers to sign in with; one that is not set up says so. */
export function OauthButtons({ verb, isConnected, options, from, onLeave }: OauthButtonsProps) {
  const [pending, setPending] = useState<OauthProvider>()
  const [error, setError] = useState<string>()
  const providers = options?.providers ?? specified.map((each) => ({ ...each, isConfigured: false }))

  const login = async (id: OauthProvider, label: string) => {
    setPending(id)
    setError(undefined)
    try {
      const address = await oauthAddress(id, { intent: 'login', ...(from === undefined ? {} : { from }) })
      if (address !== undefined) {
        onLeave?.()
        return location.assign(address)
      }
      setError(`Failed to get ${label} authorization URL`)
    } catch (failure) {
      setError(`Failed to initiate ${label} login. ${causeOf(failure)}`)
    }
    setPending(undefined)
  }
  const signUp = (id: OauthProvider) =>
    location.assign(`/api/auth/oauth/${id}${from === undefined ? '' : `?from=${encodeURIComponent(from)}`}`)

  const disabledReason = ({ label, isConfigured }: { label: string; isConfigured: boolean }) => {
    if (!isConnected) return unreachableText
    if (options === undefined) return 'Checking whether the server is set up for it.'
    return isConfigured ? undefined : reason(label)
  }
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        {providers.map((provider) => (
          <Button
            key={provider.id}
            aria-label={verb === 'Login' ? `Login with ${provider.label}` : `Sign up with ${provider.label}`}
            disabledReason={disabledReason(provider)}
            busy={pending === provider.id}
            className={provider.id === 'oidc' ? 'col-span-2' : ''}
            onClick={() => (verb === 'Login' ? void login(provider.id, provider.label) : signUp(provider.id))}
          >
            <span className="truncate">
              {verb === 'Login' ? provider.label : `Sign up with ${provider.label}`}
            </span>
          </Button>
        ))}
      </div>
      <div role="alert" className={error ? 'mt-3 text-danger' : 'hidden'}>
        {error}
      </div>
    </>
  )
}

export function OrDivider({ children }: { children: string }) {
  return (
    <div className="my-5 flex items-center gap-3 text-small text-text-3">
      <span className="h-px flex-1 bg-line" />
      {children}
      <span className="h-px flex-1 bg-line" />
    </div>
  )
}
