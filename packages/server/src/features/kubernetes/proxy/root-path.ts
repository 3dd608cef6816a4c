import type { IncomingMessage } from 'node:http'
import { kubeconfigTokenPrefix } from '../../../platform/crypto/token.ts'
import { isProxyUrl } from './admission.ts'
import { bearerToken } from './headers.ts'

/** Where an API server has its paths: `kubectl get --raw` and `kubectl proxy` leave a server's own prefix out. */
const rootPath = /^\/(?:api|api\/v1|apis|openapi|version|healthz|livez|readyz)(?:[/?]|$)/

/**
 * The proxy's URL for a request that names a path of the Kubernetes API itself, with a token that is for one cluster;
 * undefined for any other. Such a token opens nothing else of this server, so the two cannot be confused.
 */
export function clusterRootUrl({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>) {
  if (!rootPath.test(url) || isProxyUrl(url) || url.startsWith('/api/kubernetes/')) return undefined
  if (!bearerToken(headers)?.startsWith(`${kubeconfigTokenPrefix}_`)) return undefined
  return `/api/kubernetes/clusters/self/proxy${url}`
}
