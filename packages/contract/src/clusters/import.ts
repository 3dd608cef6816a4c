import { z } from 'zod'
import { cluster, dnsLabel } from './endpoints.ts'
import { endpoint } from '../base/endpoint.ts'
import {
  maxImportedAtOnce,
  maxKubeconfigBytes,
  maxKubeconfigContexts,
  maxWatchedNamespaces,
} from './kubeconfig-rules.ts'
import { idParams, numericId, timestamp } from '../base/schema.ts'

const kubeconfig = z.string().min(1).max(maxKubeconfigBytes)
const contextName = z.string().min(1).max(512)
const namespaces = z.array(dnsLabel).max(maxWatchedNamespaces)

/** What keeps a context from working, what to do about it, and commands to paste where they help. */
export const connectionProblem = z
  .object({
    title: z.string(),
    detail: z.string(),
    commands: z.array(z.string()).max(10),
  })
  .meta({ id: 'ConnectionProblem' })
export type ConnectionProblem = z.infer<typeof connectionProblem>

export const kubeconfigContext = z
  .object({
    context: z.string(),
    cluster: z.string(),
    user: z.string(),
    namespace: z.string().nullable(),
    /** Without credentials; empty where the file names none. */
    server: z.string(),
    credential: z.enum(['token', 'client-certificate', 'token-and-certificate', 'none']),
    isVerified: z.boolean(),
    /** Host of the proxy. */
    proxy: z.string().nullable(),
    /** Whom the credentials act as, where the kubeconfig says so. */
    actsAs: z.string().nullable(),
    /** What must be mended before it can be tested; empty: it can. */
    problems: z.array(connectionProblem).max(20),
    /** A title that no cluster of the organization has. */
    suggestedTitle: z.string(),
  })
  .meta({ id: 'KubeconfigContext' })
export type KubeconfigContext = z.infer<typeof kubeconfigContext>

export const connectionChecks = [
  'name',
  'address',
  'connection',
  'certificate',
  'kubernetes',
  'identity',
  'rights',
  'metrics',
] as const
export type ConnectionCheck = (typeof connectionChecks)[number]

const check = z.object({
  key: z.enum(connectionChecks),
  /** `skipped`: not tried, because an earlier one failed. */
  state: z.enum(['ok', 'warning', 'failed', 'skipped']),
  detail: z.string(),
})

/** A certificate that the server sent, its own first. */
const chainCertificate = z.object({
  subject: z.string(),
  issuer: z.string(),
  validFrom: timestamp,
  validTo: timestamp,
  /** SHA-256, as `openssl x509 -fingerprint -sha256` prints it. */
  fingerprint: z.string(),
  names: z.array(z.string()).max(100),
  isAuthority: z.boolean(),
  /** What is wrong with this one; null where nothing is. */
  problem: z.string().nullable(),
})

/** What Bey may do in a cluster, as the cluster answered. */
export const connectionRights = z
  .object({
    /** One line for a list, such as "reads all but secrets; changes nothing". */
    summary: z.string(),
    isAdmin: z.boolean(),
    readsAll: z.boolean(),
    readsSecrets: z.boolean(),
    changesAll: z.boolean(),
    listsNamespaces: z.boolean(),
    /** Where it may not read everything: the namespaces in which it may read pods. */
    namespaces: z.array(z.object({ name: z.string(), canChange: z.boolean() })).max(maxWatchedNamespaces),
    /** Rules of its namespace, as the cluster lists them; at most 100. */
    rules: z
      .array(
        z.object({ verbs: z.array(z.string()), groups: z.array(z.string()), resources: z.array(z.string()) }),
      )
      .max(100),
    /** Whether members are named to the cluster, or Bey acts as this identity for all of them, and why. */
    impersonation: z.object({
      isUsed: z.boolean(),
      reason: z.string(),
      commands: z.array(z.string()).max(10),
    }),
  })
  .meta({ id: 'ConnectionRights' })
export type ConnectionRights = z.infer<typeof connectionRights>

export const connectionTest = z
  .object({
    at: timestamp,
    durationMs: z.number(),
    /** `unverified`: all is well, but nobody checked whose certificate it is. */
    state: z.enum(['reachable', 'unverified', 'failed']),
    /** Where it stopped; null when it went through. */
    stoppedAt: z.enum(connectionChecks).nullable(),
    problem: connectionProblem.nullable(),
    checks: z.array(check).max(connectionChecks.length),
    chain: z.array(chainCertificate).max(10),
    version: z.string().nullable(),
    identity: z.object({ user: z.string(), groups: z.array(z.string()).max(50) }).nullable(),
    rights: connectionRights.nullable(),
    hasMetrics: z.boolean().nullable(),
    /** Of one small request over an open connection. */
    latencyMs: z.number().nullable(),
  })
  .meta({ id: 'ConnectionTest' })
export type ConnectionTest = z.infer<typeof connectionTest>

/** What somebody decided about the certificate of a cluster that is not trusted as it is. */
const trust = {
  /** Authorities to trust instead of those in the kubeconfig. */
  caPem: z
    .string()
    .min(1)
    .max(64 * 1024)
    .optional(),
  /** A certificate of the chain that the server sends: anyone who sends this has compared its fingerprint. */
  trustedFingerprint: z
    .string()
    .regex(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/)
    .optional(),
}

const known = z.object({ id: numericId, title: z.string() })

/** How the server reaches a cluster and what it found there. */
export const clusterConnection = z
  .object({
    clusterId: numericId,
    /** False where the server started the cluster itself. */
    isImported: z.boolean(),
    server: z.string(),
    context: z.string().nullable(),
    credential: z.enum(['token', 'client-certificate', 'token-and-certificate', 'none']),
    isVerified: z.boolean(),
    tlsServerName: z.string().nullable(),
    proxy: z.string().nullable(),
    actsAs: z.string().nullable(),
    impersonates: z.boolean(),
    /** Namespaces that are watched where Bey may not watch all; null: all of them. */
    namespaces: z.array(z.string()).max(maxWatchedNamespaces).nullable(),
    /** Whether a member chose these namespaces; else they are those that the test found. */
    areNamespacesChosen: z.boolean(),
    /** When the credentials stop to work by themselves, where they say so. */
    credentialsExpireAt: timestamp.nullable(),
    test: connectionTest.nullable(),
  })
  .meta({ id: 'ClusterConnectionFacts' })
export type ClusterConnectionFacts = z.infer<typeof clusterConnection>

export const importEndpoints = {
  'kubeconfig.read': endpoint({
    method: 'POST',
    path: '/api/kubernetes/import/read',
    summary:
      'Contexts of a kubeconfig, and what keeps each from being imported; connects to nothing and keeps nothing',
    access: 'clusters.create',
    withoutIdempotencyKey: 'It only reads.',
    body: z.strictObject({ kubeconfig }),
    response: z.object({
      contexts: z.array(kubeconfigContext).max(maxKubeconfigContexts),
      currentContext: z.string().nullable(),
      clusterCount: z.number().int(),
      userCount: z.number().int(),
      /** Which addresses this server connects to, as a sentence. */
      addresses: z.string(),
    }),
  }),
  'kubeconfig.test': endpoint({
    method: 'POST',
    path: '/api/kubernetes/import/test',
    summary: 'Connect as a context says and report every check; keeps nothing and answers no credentials',
    access: 'clusters.create',
    withoutIdempotencyKey: 'It only reads.',
    body: z.strictObject({ kubeconfig, context: contextName, ...trust }),
    response: z.object({
      test: connectionTest,
      /** The cluster of this organization that has the same server and authority. */
      alreadyImported: known.nullable(),
    }),
  }),
  'kubeconfig.import': endpoint({
    method: 'POST',
    path: '/api/kubernetes/import',
    summary: 'Import clusters: all of them or none; each gets a run that checks and reads it',
    access: 'clusters.create',
    body: z.strictObject({
      kubeconfig,
      clusters: z
        .array(z.strictObject({ context: contextName, title: dnsLabel, ...trust }))
        .min(1)
        .max(maxImportedAtOnce),
    }),
    outdates: ['/api/kubernetes/clusters'],
    response: z.object({ clusters: z.array(cluster).max(maxImportedAtOnce) }),
    status: 201,
    errors: ['name_taken', 'limit_reached', 'conflict'],
  }),
  'clusters.connection': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/connection',
    summary: 'How the server reaches a cluster, as whom, and what the last test found',
    access: 'clusters.read',
    params: idParams,
    response: clusterConnection,
    errors: ['not_found'],
  }),
  'clusters.testConnection': endpoint({
    method: 'POST',
    path: '/api/kubernetes/clusters/{id}/connection/test',
    summary: 'Test the connection of a cluster again and keep the result',
    access: 'clusters.provision',
    withoutIdempotencyKey: 'It reads, and what it finds replaces what was found before.',
    params: idParams,
    replyOf: 'clusters.connection',
    outdates: ['/api/kubernetes/clusters/{id}'],
    response: clusterConnection,
    errors: ['not_found', 'conflict'],
  }),
  'clusters.replaceCredentials': endpoint({
    method: 'PUT',
    path: '/api/kubernetes/clusters/{id}/connection',
    summary: 'Replace the connection of an imported cluster; refused while the new one does not work',
    access: 'clusters.provision',
    params: idParams,
    body: z.strictObject({ kubeconfig, context: contextName, ...trust }),
    replyOf: 'clusters.connection',
    outdates: ['/api/kubernetes/clusters/{id}'],
    response: clusterConnection,
    errors: ['not_found', 'conflict'],
  }),
  'clusters.chooseNamespaces': endpoint({
    method: 'PATCH',
    path: '/api/kubernetes/clusters/{id}/connection',
    summary: 'Choose the namespaces that are watched where not all may be; null: those that the test found',
    access: 'clusters.provision',
    params: idParams,
    body: z.strictObject({ namespaces: namespaces.nullable() }),
    replyOf: 'clusters.connection',
    outdates: ['/api/kubernetes/clusters/{id}'],
    response: clusterConnection,
    errors: ['not_found', 'conflict'],
  }),
} as const
