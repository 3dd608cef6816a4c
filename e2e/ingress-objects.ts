import type { BeySession } from '../tools/api-session.ts'
import { issued, newAuthority, tlsSecret } from '../packages/server/src/features/ingress/testing/issued.ts'

/** Sends requests to a cluster through Bey's proxy. Throws with the answer where one is refused. */
export function kubeCalls({ baseUrl, token }: BeySession, clusterId: number) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const reply = await fetch(`${baseUrl}/api/kubernetes/clusters/${clusterId}/proxy${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return reply.json()
  }
}

const rule = (host: string, service: string, path = '/') => ({
  host,
  http: {
    paths: [{ path, pathType: 'Prefix', backend: { service: { name: service, port: { number: 80 } } } }],
  },
})

/**
 * Hosts of a shop in a namespace of their own: one whose certificate ends next week, one whose certificate has ended, one
 * without a service, one that works. `port` is one of the load balancer's.
 */
export async function putShop(session: BeySession, clusterId: number, port: number): Promise<void> {
  const kube = kubeCalls(session, clusterId)
  const authority = await newAuthority()
  const inShop = (group: string, kind: string) => `${group}/namespaces/shop/${kind}`
  await kube('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } })
  await kube('POST', inShop('/apis/apps/v1', 'deployments'), {
    metadata: { name: 'storefront' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'storefront' } },
      template: {
        metadata: { labels: { app: 'storefront' } },
        spec: { containers: [{ name: 'web', image: 'nginx:1.27', ports: [{ containerPort: 80 }] }] },
      },
    },
  })
  for (const [name, spec] of Object.entries({
    storefront: { selector: { app: 'storefront' }, ports: [{ port: 80 }] },
    checkout: { selector: { app: 'storefront' }, ports: [{ port: 80 }] },
    edge: {
      type: 'LoadBalancer',
      selector: { app: 'storefront' },
      ports: [{ name: 'test', port, targetPort: 80 }],
    },
  }))
    await kube('POST', inShop('/api/v1', 'services'), { metadata: { name }, spec })
  const certificates = {
    'shop-tls': [['shop.nordlicht.example', 'www.nordlicht.example'], 6.5],
    'pay-tls': [['pay.nordlicht.example'], -0.1],
    'api-tls': [['api.nordlicht.example'], 71],
  } as const
  for (const [name, [hosts, days]] of Object.entries(certificates))
    await kube(
      'POST',
      inShop('/api/v1', 'secrets'),
      tlsSecret(name, await issued(authority, hosts, days), authority.certificatePem),
    )
  for (const [name, host, service, secretName] of [
    ['shop', 'shop.nordlicht.example', 'storefront', 'shop-tls'],
    ['pay', 'pay.nordlicht.example', 'storefront', 'pay-tls'],
    ['api', 'api.nordlicht.example', 'checkout', 'api-tls'],
    ['old', 'old.nordlicht.example', 'gone', undefined],
  ] as const)
    await kube('POST', inShop('/apis/networking.k8s.io/v1', 'ingresses'), {
      metadata: { name },
      spec: {
        ingressClassName: 'nginx',
        rules: [rule(host, service), ...(name === 'api' ? [rule(host, 'storefront', '/assets')] : [])],
        ...(secretName && { tls: [{ hosts: [host], secretName }] }),
      },
    })
}
