import type { OauthProvider } from '@bey/contract'
import type { Feature, Parts } from '../../feature.ts'
import { createPasswords } from '../../platform/crypto/password.ts'
import type { ServerSeal } from '../../platform/crypto/server-seal.ts'
import type { PublicCaller } from '../../platform/http/handlers.ts'
import type { KnownDevices } from '../../platform/http/known-devices.ts'
import { createAddressGuard } from '../../platform/outbound/address-guard.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import type { InstanceSettings } from '../instance/settings.ts'
import { createAccountService } from './account.ts'
import { accountRoutes } from './account-routes.ts'
import { createDeviceLogins, deviceLoginRoutes } from './device-login/service.ts'
import { createSignIn, type OnNewDevice } from './sign-in.ts'
import { godmodeRoutes } from './godmode-routes.ts'
import { godmodeStatus } from './godmode.ts'
import { createImpersonationService } from './impersonation.ts'
import { createDiscovery } from './oauth/discovery.ts'
import { createIdentities } from './oauth/identity.ts'
import { createOauthService } from './oauth/service.ts'
import { createCeremonies } from './passkeys/ceremony.ts'
import { createPasskeyService } from './passkeys/service.ts'
import { createPasswordReset } from './password-reset/reset.ts'
import { authRoutes } from './routes.ts'
import { createSecurityService } from './security.ts'
import { createAuthService } from './service.ts'
import { createSessionList } from './session-list.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { createTokenList } from './token-list.ts'
import { createProofs } from './two-factor/proof.ts'
import { createSecondFactor } from './two-factor/second-factor.ts'
import { createStepUp } from './two-factor/step-up.ts'
import { createTotpService } from './two-factor/totp.ts'

type AuthNeeds = {
  devices: KnownDevices
  isLoopback: (address: string) => boolean
  serverSeal: ServerSeal
  settings: InstanceSettings
  /** What providers are called that nobody has set up. */
  labels: Record<OauthProvider, { label: string }>
  onNewDevice: OnNewDevice
  /** Where the console is found while no base address is set. */
  localAddress: string
} & Pick<Parameters<typeof createAuthService>[0], 'foundOrganization'>

export async function authFeature(parts: Parts, needs: AuthNeeds) {
  const { database, live, clock, config, mail } = parts
  const { devices, isLoopback, foundOrganization, serverSeal, settings, labels, onNewDevice, localAddress } =
    needs
  const { developerEmail } = config
  const passwords = createPasswords(config.argon2)
  const onSessionEnded = (sessionId: string) => live.closeSession(sessionId)
  const shared = { database, clock, passwords, developerEmail, onSessionEnded }
  const publicUrl = async () => (await settings.publicUrl()).value
  const address = async (caller: PublicCaller) => (await publicUrl()) ?? `http://${caller.host}`

  const ceremonies = createCeremonies({ ...shared, publicUrl })
  const { publicSite } = ceremonies
  const signIn = createSignIn({ ...shared, devices, onNewDevice, passkeySite: publicSite })
  const proofs = createProofs({ clock, serverSeal, ceremonies, devices })
  const passkeys = createPasskeyService({ ...shared, ceremonies, signIn })
  const discover = createDiscovery({
    outbound: createOutbound(createAddressGuard(config.outbound)),
    clock,
    isLoopback,
  })
  const identities = createIdentities(discover)
  const signup = async () => (await settings.signup()).value
  const auth = createAuthService({ ...shared, signIn, signup, foundOrganization })
  const status = godmodeStatus(config)
  const impersonation = createImpersonationService({ database, clock, status, developerEmail, isLoopback })
  await impersonation.endLeftovers()
  return {
    handlers: {
      ...authRoutes(auth, createAccountService(shared), status, devices),
      ...signInRoutes(
        {
          settings,
          labels,
          ceremonies,
          passkeys,
          oauth: createOauthService({ ...shared, settings, identities, signIn, address }),
          reset: createPasswordReset({ ...shared, address: async () => (await publicUrl()) ?? localAddress }),
          stepUp: createStepUp({ ...shared, proofs, publicSite }),
          secondFactor: createSecondFactor({ ...shared, signIn, proofs }),
          isMailConfigured: () => mail.isMailConfigured(),
        },
        devices,
      ),
      ...accountRoutes({
        security: createSecurityService({ ...shared, settings, labels }),
        totp: createTotpService({ ...shared, serverSeal, proofs }),
        passkeys,
        sessions: createSessionList(shared),
        tokens: createTokenList(shared),
      }),
      ...deviceLoginRoutes(createDeviceLogins({ ...shared, signIn, address })),
      ...godmodeRoutes(impersonation),
    },
    userOf: (caller: Parameters<typeof auth.userOf>[0]) => auth.userOf(caller),
    register: auth.register,
    enter: signIn.complete,
  } satisfies Feature & Record<'userOf' | 'register' | 'enter', unknown>
}
