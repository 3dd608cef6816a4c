import type { OutgoingHttpHeaders } from 'node:http'

import { identityHeaders } from './identity.ts'
import type { ClusterConnection } from './ports.ts'

/** Headers with which Bey speaks in its own name; a client certificate stands in the connection instead. */
export function ownCredentials({ token, actsAs }: ClusterConnection): OutgoingHttpHeaders {
  return {
    ...(token !== '' && { authorization: `Bearer ${token}` }),
    ...(actsAs && identityHeaders(actsAs)),
  }
}

/** The same way to a cluster for somebody who brings credentials of their own: no certificate speaks for them. */
export function withoutCredentials(connection: ClusterConnection): ClusterConnection {
  const { clientCertificate: _certificate, actsAs: _identity, ...rest } = connection
  return { ...rest, token: '' }
}
