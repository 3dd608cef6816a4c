import { keepInvitation } from '../../data/invitations.ts'
import { useSignInOptions } from '../../data/sign-in.ts'
import { OauthButtons, OrDivider } from './oauth-buttons.tsx'

/** Signs in with a provider and comes back to the invitation; nothing where none is set up. */
export function InvitationProviders({ token }: { token: string }) {
  const options = useSignInOptions()
  const providers = options?.providers.filter(({ isConfigured }) => isConfigured) ?? []
  if (options === undefined || providers.length === 0) return null
  return (
    <>
      <OrDivider>or continue with</OrDivider>
      <OauthButtons
        verb="Login"
        isConnected
        options={{ ...options, providers }}
        from="/invite"
        onLeave={() => keepInvitation(token)}
      />
    </>
  )
}
