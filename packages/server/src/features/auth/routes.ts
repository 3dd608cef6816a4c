import type { User } from '@bey/contract'
import type { Handlers } from '../../platform/http/handlers.ts'
import type { AuthService } from './service.ts'

export type AuthRouteNames = 'auth.login' | 'auth.signup' | 'auth.me' | 'auth.logout' | 'auth.godmodeStatus'

export type GodmodeStatus = { enabled: boolean; warning: string }

export function authRoutes(auth: AuthService, godmode: GodmodeStatus): Handlers<AuthRouteNames> {
  return {
    'auth.login': ({ body, caller }) => auth.logIn(body, caller),
    'auth.signup': ({ body, caller }) => auth.signUp(body, caller),
    'auth.me': ({ caller }): Promise<User> => auth.userOf(caller.user.id),
    'auth.logout': async ({ caller }) => {
      await auth.logOut(caller)
      return null
    },
    'auth.godmodeStatus': async () => godmode,
  }
}
