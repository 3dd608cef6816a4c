import { stringify } from 'yaml'

export type KubeconfigInput = {
  clusterTitle: string
  /** Namespaces are chosen per command; the context starts in this one. */
  namespace?: string
  serverUrl: string
  /** Undefined where the server's certificate comes from an authority that machines trust anyway. */
  caPem: string | undefined
  token: string
}

/** A kubeconfig (`v1 Config`, client-go) with one cluster, user and context, named so that files merge well. */
export function kubeconfigYaml({
  clusterTitle,
  namespace,
  serverUrl,
  caPem,
  token,
}: KubeconfigInput): string {
  const name = `bey-${clusterTitle}`
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    preferences: {},
    clusters: [
      {
        name,
        cluster: {
          server: serverUrl,
          ...(caPem && { 'certificate-authority-data': Buffer.from(caPem).toString('base64') }),
        },
      },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: namespace ?? 'default' } }],
  })
}

export type PublicAddress = {
  publicUrl: string | undefined
  /** Port of the HTTPS listener, as it listens now. */
  tlsPort: number
  /** PEM of the authorities behind the HTTPS listener. */
  trusted: string
}

/**
 * Where kubectl reaches a cluster through this server, and which certificate authority it must trust. It sends no
 * token over http, so an http public address is replaced by the HTTPS listener on the same host.
 */
export function proxyAddress(
  { publicUrl, tlsPort, trusted }: PublicAddress,
  clusterId: number,
): { serverUrl: string; caPem: string | undefined } {
  const url = new URL(publicUrl ?? 'http://localhost')
  const isOurs = url.protocol === 'http:' || url.port === String(tlsPort)
  const origin = url.protocol === 'https:' ? url.origin : `https://${url.hostname}:${tlsPort}`
  return {
    serverUrl: `${origin}/api/kubernetes/clusters/${clusterId}/proxy`,
    // A proxy that terminates https has its own certificate, usually of a public authority.
    caPem: isOurs ? trusted : undefined,
  }
}
