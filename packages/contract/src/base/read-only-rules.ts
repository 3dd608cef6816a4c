import type { EndpointName } from '../api.ts'
import type { Endpoint } from './endpoint.ts'

/** Header of every reply while Bey is read-only. */
export const readOnlyHeader = 'bey-read-only'

/**
 * What is served while Bey is read-only although it is no read: signing in, so that people can read, and ending what lets
 * people in; questions that are asked by a POST; errors of consoles; and the way back. `mcp.send` calls other endpoints, which
 * are refused themselves.
 */
const servedNames = new Set<EndpointName>([
  'auth.login',
  'auth.logout',
  'auth.secondFactor',
  'auth.stepUp',
  'auth.startOauth',
  'auth.finishOauth',
  'auth.exchangeOauth',
  'auth.passkeyOptions',
  'auth.passkeyLogin',
  'deviceLogin.begin',
  'deviceLogin.poll',
  'deviceLogin.confirm',
  'deviceLogin.refuse',
  'account.endSession',
  'account.endToken',
  'account.endOtherSessions',
  'demo.visit',
  'asCode.plan',
  'apiKeys.test',
  'invitations.preview',
  'kubeconfig.read',
  'networks.plan',
  'networks.reachability.whatIf',
  'securityGroups.plan',
  'prometheus.queryByForm',
  'prometheus.queryRangeByForm',
  'prometheus.labelsByForm',
  'prometheus.seriesByForm',
  'workflows.validate',
  'workflows.evaluate',
  'databases.estimate',
  'databases.changes.plan',
  'secrets.inspect',
  'prices.preview',
  'reports.preview',
  'errors.log',
  'mcp.send',
  'mcp.end',
  'instance.setReadOnly',
])

/** Whether an endpoint is served while Bey is read-only. */
export function isServedReadOnly(name: EndpointName, { method, hasEffect }: Endpoint): boolean {
  return (method === 'GET' && hasEffect === undefined) || servedNames.has(name)
}
