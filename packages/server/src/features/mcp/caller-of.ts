import type { TenantCaller } from '../../platform/http/handlers.ts'

/** As the protocol's SDK carries who sent a message to its handlers. */
type AuthInfo = { token: string; clientId: string; scopes: string[]; extra?: Record<string, unknown> }

export function authInfoOf(caller: TenantCaller): AuthInfo {
  return { token: caller.bearer ?? '', clientId: caller.sessionId, scopes: [], extra: { caller } }
}

/** Who sent the message under way. */
export function callerOf(authInfo: AuthInfo | undefined): TenantCaller {
  // Put there by `authInfoOf` with every message.
  return authInfo?.extra?.['caller'] as TenantCaller
}
