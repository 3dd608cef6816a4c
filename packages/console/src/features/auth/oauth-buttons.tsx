import { Button } from '../../ui/button.tsx'

const providers = ['GitHub', 'Google'] as const

const reason = (provider: string) =>
  `This server has no ${provider} sign-in yet. Use an email address and a password.`

/** The buttons of the specified providers, refused with the reason until the server can do it. */
export function OauthButtons({ verb }: { verb: 'Login' | 'Sign up' }) {
  return (
    <div className="grid grid-cols-2 gap-2">
      {providers.map((provider) => (
        <Button
          key={provider}
          aria-label={verb === 'Login' ? `Login with ${provider}` : `Sign up with ${provider}`}
          disabledReason={reason(provider)}
        >
          {verb === 'Login' ? provider : `Sign up with ${provider}`}
        </Button>
      ))}
    </div>
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
