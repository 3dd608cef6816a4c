import type { Handlers } from '../../platform/http/handlers.ts'
import type { PasskeyService } from './passkeys/service.ts'
import type { SecurityService } from './security.ts'
import type { SessionListService } from './session-list.ts'
import type { TokenListService } from './token-list.ts'
import type { TotpService } from './two-factor/totp.ts'

export type AccountRouteNames =
  | 'account.security'
  | 'account.beginTotp'
  | 'account.confirmTotp'
  | 'account.disableTotp'
  | 'account.renewRecoveryCodes'
  | 'account.passkeyOptions'
  | 'account.addPasskey'
  | 'account.removePasskey'
  | 'account.unlink'
  | 'account.sessions'
  | 'account.endSession'
  | 'account.endOtherSessions'
  | 'account.tokens'
  | 'account.endToken'

export type AccountServices = {
  security: SecurityService
  totp: TotpService
  passkeys: PasskeyService
  sessions: SessionListService
  tokens: TokenListService
}

export function accountRoutes(services: AccountServices): Handlers<AccountRouteNames> {
  const { security, totp, passkeys, sessions, tokens } = services
  return {
    'account.security': ({ caller }) => security.get(caller),
    'account.beginTotp': ({ caller }) => totp.begin(caller),
    'account.confirmTotp': ({ body, caller }) => totp.confirm(body.code, caller),
    'account.disableTotp': ({ caller }) => totp.disable(caller),
    'account.renewRecoveryCodes': ({ caller }) => totp.renewRecoveryCodes(caller),
    'account.passkeyOptions': ({ caller }) => passkeys.creationOptions(caller),
    'account.addPasskey': ({ body, caller }) => passkeys.add(body, caller),
    'account.removePasskey': ({ params, caller }) => passkeys.remove(params.id, caller),
    'account.unlink': ({ params, caller }) => security.unlink(params.provider, caller),
    'account.sessions': ({ query, caller }) => sessions.list(query, caller),
    'account.endSession': ({ params, caller }) => sessions.end(params.id, caller),
    'account.endOtherSessions': ({ caller }) => sessions.endOthers(caller),
    'account.tokens': ({ query, caller }) => tokens.list(query, caller),
    'account.endToken': ({ params, caller }) => tokens.end(params.id, caller),
  }
}
