import type { User } from '@bey/contract'
import type { Handlers } from '../../platform/http/handlers.ts'
import type { KnownDevices } from '../../platform/http/known-devices.ts'
import type { AccountService } from './account.ts'
import type { AuthService } from './service.ts'
import { onKnownDevice } from './sign-in-routes.ts'

export type AuthRouteNames =
  | 'auth.login'
  | 'auth.signup'
  | 'auth.me'
  | 'auth.rename'
  | 'auth.changePassword'
  | 'auth.logout'
  | 'auth.godmodeStatus'

export type GodmodeStatus = { enabled: boolean; warning: string }

export function authRoutes(
  auth: AuthService,
  account: AccountService,
  godmode: GodmodeStatus,
  devices: Pick<KnownDevices, 'cookieOf'>,
): Handlers<AuthRouteNames> {
  return {
    'auth.login': async ({ body, caller }) => onKnownDevice(devices, await auth.logIn(body, caller)),
    'auth.signup': async ({ body, caller }) => onKnownDevice(devices, await auth.signUp(body, caller)),
    'auth.me': ({ caller }): Promise<User> => auth.userOf(caller),
    'auth.rename': ({ body, caller }) => account.rename(body.name, caller),
    'auth.changePassword': ({ body, caller }) => account.changePassword(body, caller),
    'auth.logout': async ({ caller }) => {
      await auth.logOut(caller)
      return null
    },
    'auth.godmodeStatus': async () => godmode,
  }
}
