import { z } from 'zod'
import { isDnsLabel, isDnsSubdomain } from '../base/dns-rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { actor, timestamp, uuid } from '../base/schema.ts'
import {
  type KubernetesSecretType,
  kubernetesSecretTypes,
  secretSyncActs,
  secretSyncLimits as limits,
  secretSyncStates,
} from './sync-rules.ts'

const kubernetesTypes = Object.keys(kubernetesSecretTypes) as [
  KubernetesSecretType,
  ...KubernetesSecretType[],
]
const kubernetesType = z.enum(kubernetesTypes)
const keys = z
  .record(z.string().min(1).max(253), z.string().min(1).max(40))
  .refine((map) => Object.keys(map).length <= limits.keys, `Write at most ${limits.keys} keys.`)
const labelPattern = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/
const labels = z
  .record(
    z
      .string()
      .max(317)
      .regex(
        /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
        'This is no key of a Kubernetes label.',
      )
      .refine((key) => key !== 'app.kubernetes.io/managed-by', 'Bey sets this label itself.'),
    z.string().regex(labelPattern, 'This is no value of a Kubernetes label.'),
  )
  .refine((map) => Object.keys(map).length <= limits.labels, `Send at most ${limits.labels} labels.`)
const onRemoval = z.enum(['leave', 'delete'])

/** A copy of a secret in a cluster, as a Kubernetes Secret that is kept like it. */
export const secretSync = z
  .object({
    id: uuid,
    clusterId: z.number().int(),
    clusterTitle: z.string(),
    namespace: z.string(),
    name: z.string(),
    kubernetesType,
    /** What of the value is written, by key. */
    keys: z.record(z.string(), z.string()),
    labels: z.record(z.string(), z.string()),
    /** Restarts the workloads that use it when the value changes. */
    restarts: z.boolean(),
    /** Puts right by itself what somebody changes in the cluster. */
    correctsDrift: z.boolean(),
    /** What becomes of it in the cluster when the secret is destroyed. */
    onRemoval,
    state: z.enum(secretSyncStates),
    /** The version that is in the cluster; null before the first. */
    syncedVersion: z.number().int().nullable(),
    syncedAt: timestamp.nullable(),
    checkedAt: timestamp.nullable(),
    drift: z.array(z.object({ path: z.string(), kind: z.enum(['changed', 'missing', 'added']) })).max(100),
    /** Whether what differs was accepted as it is. */
    isDriftAccepted: z.boolean(),
    error: z.string().nullable(),
    createdBy: actor,
    createdAt: timestamp,
  })
  .meta({ id: 'SecretSync' })
export type SecretSync = z.infer<typeof secretSync>

const params = z.object({ id: uuid })
const syncParams = z.object({ id: uuid, syncId: uuid })
const base = '/api/secrets/{id}/syncs'

/** Copies of secrets in clusters. They are written by the server soon after, and looked at every minute. */
export const secretSyncEndpoints = {
  'secretSyncs.list': endpoint({
    method: 'GET',
    path: base,
    summary: 'Where a secret is kept in clusters, and whether it is there as it should be',
    access: 'secrets.read',
    params,
    response: z.object({ syncs: z.array(secretSync).max(limits.perSecret) }),
    errors: ['not_found'],
  }),
  'secretSyncs.create': endpoint({
    method: 'POST',
    path: base,
    summary: 'Keep a secret in a cluster as a Kubernetes Secret',
    access: 'secrets.update',
    params,
    body: z.strictObject({
      clusterId: z.number().int().positive(),
      namespace: z.string().refine(isDnsLabel, 'This is no name of a namespace (RFC 1123 label).'),
      name: z.string().refine(isDnsSubdomain, 'This is no name of a Secret (RFC 1123 subdomain).'),
      /** By the type of the secret unless given. */
      kubernetesType: kubernetesType.optional(),
      keys: keys.optional(),
      labels: labels.default({}),
      restarts: z.boolean().default(false),
      correctsDrift: z.boolean().default(false),
      onRemoval: onRemoval.default('leave'),
      /** Lets Bey take over a Secret of this name that it did not make. */
      takesOver: z.boolean().default(false),
    }),
    outdates: ['/api/secrets/{id}'],
    response: secretSync,
    status: 201,
    errors: ['not_found', 'forbidden', 'conflict', 'name_taken', 'limit_reached'],
  }),
  'secretSyncs.update': endpoint({
    method: 'PUT',
    path: `${base}/{syncId}`,
    summary: 'Change how a secret is kept in a cluster',
    access: 'secrets.update',
    params: syncParams,
    body: z
      .strictObject({
        keys: keys.optional(),
        labels: labels.optional(),
        restarts: z.boolean().optional(),
        correctsDrift: z.boolean().optional(),
        onRemoval: onRemoval.optional(),
      })
      .refine((body) => Object.keys(body).length > 0, 'Send what changes.'),
    outdates: ['/api/secrets/{id}'],
    response: secretSync,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  'secretSyncs.resolve': endpoint({
    method: 'POST',
    path: `${base}/{syncId}/resolve`,
    summary: 'Put right or accept what differs, take over what Bey did not make, or try again',
    access: 'secrets.update',
    params: syncParams,
    body: z.strictObject({ how: z.enum(secretSyncActs) }),
    outdates: ['/api/secrets/{id}'],
    response: secretSync,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  'secretSyncs.remove': endpoint({
    method: 'DELETE',
    path: `${base}/{syncId}`,
    summary: 'Stop keeping a secret in a cluster, and leave or delete what is there',
    access: 'secrets.update',
    params: syncParams,
    query: z.object({ secret: onRemoval }),
    outdates: ['/api/secrets/{id}'],
    response: z.null(),
    status: 204,
    errors: ['not_found', 'forbidden'],
  }),
} as const
