import type { Feature, Parts } from '../../feature.ts'
import { createPasswords } from '../../platform/crypto/password.ts'
import type { KnownDevices } from '../../platform/http/known-devices.ts'
import { createAccountService } from './account.ts'
import { godmodeRoutes } from './godmode-routes.ts'
import { godmodeStatus } from './godmode.ts'
import { createImpersonationService } from './impersonation.ts'
import { authRoutes } from './routes.ts'
import { createAuthService } from './service.ts'

type AuthNeeds = {
  devices: KnownDevices
  isLoopback: (address: string) => boolean
} & Pick<Parameters<typeof createAuthService>[0], 'foundOrganization'>

export async function authFeature(
  { database, live, clock, config }: Parts,
  { devices, isLoopback, foundOrganization }: AuthNeeds,
) {
  const { developerEmail, signup } = config
  const passwords = createPasswords(config.argon2)
  const onSessionEnded = (sessionId: string) => live.closeSession(sessionId)
  const shared = { database, passwords, developerEmail, onSessionEnded }
  const auth = createAuthService({ ...shared, clock, signup, foundOrganization })
  const status = godmodeStatus(config)
  const impersonation = createImpersonationService({ database, clock, status, developerEmail, isLoopback })
  await impersonation.endLeftovers()
  return {
    handlers: {
      ...authRoutes(auth, createAccountService(shared), status, devices),
      ...godmodeRoutes(impersonation),
    },
    userOf: (id: number) => auth.userOf(id),
    register: auth.register,
  } satisfies Feature & Record<'userOf' | 'register', unknown>
}
