import { X509Certificate } from 'node:crypto'

import type { ConnectionTest } from '@bey/contract'

import type { ImportedConnection } from '../../../tables/cluster-connections.ts'
import type { ContextConnection } from './kubeconfig.ts'
import type { UsableEntry } from './trusted-connection.ts'

/** What of a context may be kept in the open. */
export function importedFacts(
  { context, credential, namespace, connection }: UsableEntry,
  test: ConnectionTest | null,
): ImportedConnection {
  return {
    context,
    credential,
    isVerified: connection.skipsTlsVerify !== true,
    tlsServerName: connection.tlsServerName ?? null,
    proxy: connection.proxyUrl === undefined ? null : new URL(connection.proxyUrl).host,
    actsAs: connection.actsAs?.user ?? null,
    impersonates: test?.rights?.impersonation.isUsed ?? false,
    namespace: namespace ?? null,
    chosenNamespaces: null,
    credentialsExpireAt: expiryOf(connection),
  }
}

/** When the credentials end by themselves: of a certificate, or of a JSON Web Token that says so; whichever is first. */
function expiryOf({ clientCertificate, token }: ContextConnection): string | null {
  const times = [
    clientCertificate === undefined
      ? Number.NaN
      : new X509Certificate(clientCertificate.certificatePem).validToDate.getTime(),
    tokenExpiryMs(token),
  ].filter((each) => Number.isFinite(each))
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString()
}

function tokenExpiryMs(token: string): number {
  const [, claims = ''] = token.split('.')
  try {
    const value = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { exp?: unknown }
    return typeof value?.exp === 'number' ? value.exp * 1000 : Number.NaN
  } catch (error) {
    // A token that is none of these says nothing of its end.
    if (error instanceof SyntaxError) return Number.NaN
    throw error
  }
}
