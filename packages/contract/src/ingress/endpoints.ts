import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { health, healthState, stateCounts } from '../base/health-schema.ts'
import { certificateStates, hostTestLimits, hostTestSteps, ingressLimits } from './rules.ts'
import { allClustersAnswer, allClustersQuery } from '../kubernetes/all-clusters.ts'
import { idParams, timestamp, uuid } from '../base/schema.ts'

const count = z.number().int().min(0)
const limits = ingressLimits
const path = '/api/ingress'

const clusterRef = { clusterId: z.number().int(), cluster: z.string() }
const objectRef = z.object({ kind: z.string(), namespace: z.string(), name: z.string() })
const secretRef = z.object({ namespace: z.string(), name: z.string() })

const backend = z
  .object({
    /** The service; null for what is none. */
    service: z.string().nullable(),
    namespace: z.string(),
    port: z.string().nullable(),
    /** Of all backends of the path, in percent; 100 where it is the only one. */
    weightPercent: z.number().min(0).max(100),
    /** Endpoints of the service; null where they are not known, or where it has none of its own. */
    ready: count.nullable(),
    total: count.nullable(),
    /** What is to be said of it, in words. */
    text: z.string(),
    health,
  })
  .meta({ id: 'IngressBackend' })
export type IngressBackend = z.infer<typeof backend>

/** One path of a host in one object of one cluster. */
const route = z
  .object({
    ...clusterRef,
    kind: z.enum(['Ingress', 'HTTPRoute']),
    namespace: z.string(),
    name: z.string(),
    path: z.string(),
    pathType: z.string(),
    /** The class of an ingress, or the gateways of a route; null where none is named. */
    className: z.string().nullable(),
    /** Whether it stands for what no rule matches. */
    isDefault: z.boolean(),
    backends: z.array(backend).max(limits.backends),
    /** Whether it has an address or its gateway took it, in words; null where nothing is to be said. */
    attachment: z.string().nullable(),
    /** The other objects of the cluster that claim the same host and path. */
    conflicts: z.array(objectRef).max(10),
    health,
  })
  .meta({ id: 'IngressRoute' })
export type IngressRoute = z.infer<typeof route>

const chainPart = z.object({
  subject: z.string(),
  issuer: z.string(),
  expiresAt: timestamp,
  isSelfSigned: z.boolean(),
})

const certificate = z
  .object({
    ...clusterRef,
    /** The Secret that holds it. */
    namespace: z.string(),
    name: z.string(),
    state: z.enum(certificateStates),
    /** What is to be said of it, in one sentence. */
    text: z.string(),
    /** Null where it could not be read. */
    facts: z
      .object({
        subject: z.string(),
        issuer: z.string(),
        names: z.array(z.string()).max(limits.names),
        notBefore: timestamp,
        expiresAt: timestamp,
        keyType: z.string(),
        /** SHA-256 of the certificate, in hex. */
        fingerprint: z.string(),
        isSelfSigned: z.boolean(),
        /** Whether the chain ends at an authority that this server trusts. */
        isTrusted: z.boolean(),
        /** In the order of the Secret, the server certificate first. */
        chain: z.array(chainPart).max(limits.chain),
      })
      .nullable(),
    /** What is wrong with it beside its time, a sentence each. */
    problems: z.array(z.string()).max(20),
    /** Hosts that are to show it. */
    hosts: z.array(z.object({ host: z.string(), isCovered: z.boolean().nullable() })).max(limits.hosts),
    usedBy: z.array(objectRef).max(limits.hosts),
    /** The secret of the Secrets service of which this is a copy. */
    secret: z.object({ id: uuid, name: z.string() }).nullable(),
    health,
  })
  .meta({ id: 'IngressCertificate' })
export type IngressCertificate = z.infer<typeof certificate>

const certificateBrief = certificate
  .pick({
    clusterId: true,
    namespace: true,
    name: true,
    state: true,
    text: true,
  })
  .extend({ expiresAt: timestamp.nullable() })

const host = z
  .object({
    /** Empty for paths that hold for every host. */
    host: z.string(),
    clusters: z.array(z.object({ id: z.number().int(), title: z.string() })).max(limits.clusters),
    namespaces: z.array(z.string()).max(limits.hosts),
    routes: z.array(route).max(limits.routes),
    routeTotal: count,
    /** Of its services, each once; null where none is known. */
    ready: count.nullable(),
    total: count.nullable(),
    /** Where it is to be reached, as its objects say. */
    addresses: z.array(z.string()).max(20),
    /** Whether TLS is set up: with certificates of its own, with that of the controller, or not at all. */
    tls: z.enum(['certificate', 'controller', 'none']),
    certificates: z.array(certificateBrief).max(10),
    /** When the first of its certificates ends; null where none is known. */
    expiresAt: timestamp.nullable(),
    health,
  })
  .meta({ id: 'IngressHost' })
export type IngressHost = z.infer<typeof host>

const loadBalancer = z
  .object({
    ...clusterRef,
    namespace: z.string(),
    name: z.string(),
    createdAt: timestamp.nullable(),
    addresses: z.array(z.string()).max(20),
    ports: z.array(z.string()).max(100),
    ready: count.nullable(),
    total: count.nullable(),
    health,
  })
  .meta({ id: 'LoadBalancerService' })
export type LoadBalancerService = z.infer<typeof loadBalancer>

const gateway = z
  .object({
    ...clusterRef,
    namespace: z.string(),
    name: z.string(),
    className: z.string(),
    addresses: z.array(z.string()).max(20),
    listeners: z
      .array(
        z.object({
          name: z.string(),
          hostname: z.string(),
          port: z.number().int().nullable(),
          protocol: z.string(),
          attachedRoutes: count.nullable(),
          certificates: z.array(secretRef).max(10),
          /** What the gateway says of it; null where nothing is wrong. */
          problem: z.string().nullable(),
        }),
      )
      .max(limits.listeners),
    routes: z
      .array(
        z.object({
          namespace: z.string(),
          name: z.string(),
          isAttached: z.boolean().nullable(),
          text: z.string(),
        }),
      )
      .max(limits.hosts),
    routeTotal: count,
    health,
  })
  .meta({ id: 'IngressGateway' })
export type IngressGateway = z.infer<typeof gateway>

const answer = {
  ...allClustersAnswer,
  /** Of what matches all but the health that is asked for. */
  counts: stateCounts,
  /** Of all clusters, or of the one that is asked for, whatever else is searched for. */
  totals: z.object({ hosts: count, certificates: count, loadBalancers: count, gateways: count }),
  /** What of a cluster Bey may not read, so that the lists may lack something. */
  refused: z.array(z.object({ ...clusterRef, what: z.string(), reason: z.string() })).max(500),
}

const listQuery = allClustersQuery.omit({ labels: true }).extend({ health: healthState.optional() })
const lists = { method: 'GET', access: 'kubernetes.read' } as const

const testStep = z.object({
  step: z.enum(hostTestSteps),
  /** What it was done with: the name, an address with its port, the request line. */
  subject: z.string(),
  state: z.enum(['passed', 'failed', 'skipped']),
  /** From the beginning of the test, in milliseconds. */
  startMs: z.number().min(0),
  durationMs: z.number().min(0),
  text: z.string(),
})

const hostTest = z
  .object({
    host: z.string(),
    port: z.number().int(),
    path: z.string(),
    isTls: z.boolean(),
    at: timestamp,
    durationMs: z.number().min(0),
    result: z.enum(['passed', 'warned', 'failed']),
    /** What came of it, in one sentence. */
    sentence: z.string(),
    steps: z.array(testStep).max(3 + hostTestLimits.addresses),
    addresses: z.array(z.string()).max(hostTestLimits.addresses),
    /** What the server showed; null where no TLS was begun, or where none came. */
    certificate: z
      .object({
        subject: z.string(),
        issuer: z.string(),
        expiresAt: timestamp,
        fingerprint: z.string(),
        /** Whether this server would trust it for this host. */
        isTrusted: z.boolean(),
        /** Why not, in a sentence. */
        problem: z.string().nullable(),
        /** Whether it is the one of the Secret; null where the host has none that can be read. */
        isFromSecret: z.boolean().nullable(),
      })
      .nullable(),
    status: z.number().int().nullable(),
  })
  .meta({ id: 'HostTest' })
export type HostTest = z.infer<typeof hostTest>

export const ingressEndpoints = {
  'ingress.hosts': endpoint({
    ...lists,
    path: `${path}/hosts`,
    summary: 'Hosts of ingresses and routes of all running clusters, with their backends and certificates',
    query: listQuery.extend({
      sort: z.enum(['host', 'health', 'expiresAt']).default('health'),
      /** One host by its exact name. */
      host: z.string().max(253).optional(),
    }),
    response: z.object({
      hosts: z.array(host),
      /** Of all that match, not of this page alone: whose certificate is the next to end; null where none will. */
      nextExpiry: z.object({ host: z.string(), expiresAt: timestamp }).nullable(),
      ...answer,
    }),
  }),
  'ingress.certificates': endpoint({
    ...lists,
    path: `${path}/certificates`,
    summary: 'Certificates that ingresses and gateways of all running clusters show, the public part alone',
    query: listQuery.extend({
      state: z.enum(certificateStates).optional(),
      sort: z.enum(['expiresAt', 'name', 'health']).default('expiresAt'),
    }),
    response: z.object({ certificates: z.array(certificate), ...answer }),
  }),
  'ingress.loadBalancers': endpoint({
    ...lists,
    path: `${path}/load-balancers`,
    summary: 'Services of type LoadBalancer of all running clusters, with their addresses',
    query: listQuery.extend({ sort: z.enum(['name', 'health', 'createdAt']).default('health') }),
    response: z.object({ loadBalancers: z.array(loadBalancer), ...answer }),
  }),
  'ingress.gateways': endpoint({
    ...lists,
    path: `${path}/gateways`,
    summary: 'Gateways of all running clusters that serve the Gateway API, with their listeners and routes',
    query: listQuery.extend({ sort: z.enum(['name', 'health']).default('health') }),
    response: z.object({ gateways: z.array(gateway), ...answer }),
  }),
  'ingress.test': endpoint({
    method: 'POST',
    path: '/api/kubernetes/clusters/{id}/ingress/test',
    summary: 'Connects to a host of the cluster from this server, with every step timed',
    access: 'networks.test',
    withoutIdempotencyKey: 'It changes nothing; each test is a new measurement.',
    outdates: [],
    params: idParams,
    body: z.strictObject({
      /** A host that an ingress, a route or a gateway of the cluster names; below a wildcard any name that it covers. */
      host: z.string().trim().toLowerCase().min(1).max(253),
      path: z.string().startsWith('/').max(2_000).default('/'),
      isTls: z.boolean().default(true),
      /** Default: 443, or 80 without TLS. */
      port: z.number().int().min(1).max(65_535).optional(),
      /** An address to connect to instead of those that the name resolves to. */
      address: z.string().trim().min(1).max(45).optional(),
    }),
    response: hostTest,
    errors: ['not_found', 'conflict', 'cluster_unreachable', 'cluster_forbidden', 'rate_limited'],
  }),
} as const
