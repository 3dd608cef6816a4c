import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { health, healthState, stateCounts } from '../base/health-schema.ts'
import { eventRow, freshness, isPartial, labelSelector } from './endpoints.ts'
import { noNamespace, resourcePattern } from './rules.ts'
import { volumeUsage } from './volumes.ts'
import { idParams, pageQuery, searchText, timestamp } from '../base/schema.ts'

/** A resource that a cluster serves, in the version that it prefers. */
export const resourceInfo = z
  .object({
    /** As kubectl names it: `pods`, `deployments.apps`. */
    resource: z.string(),
    kind: z.string(),
    group: z.string(),
    version: z.string(),
    plural: z.string(),
    shortNames: z.array(z.string()),
    isNamespaced: z.boolean(),
    /** Defined by a custom resource definition. */
    isCustom: z.boolean(),
    verbs: z.array(z.string()),
  })
  .meta({ id: 'ResourceInfo' })
export type ResourceInfo = z.infer<typeof resourceInfo>

/** What the API server prints in one column of `kubectl get`. */
export const objectColumn = z
  .object({
    name: z.string(),
    /** `string`, `integer`, `number`, `boolean` or `date`. */
    type: z.string(),
    description: z.string(),
    /** 0: always shown; more: only where there is room. */
    priority: z.number().int(),
  })
  .meta({ id: 'ObjectColumn' })
export type ObjectColumn = z.infer<typeof objectColumn>

/** Workloads, pods and ingresses that name a config map or a secret. */
export const objectUsers = z
  .object({
    total: z.number().int(),
    /** The first three by name. */
    first: z.array(z.object({ kind: z.string(), name: z.string() })).max(3),
  })
  .meta({ id: 'ObjectUsers' })
export type ObjectUsers = z.infer<typeof objectUsers>

export const objectRow = z
  .object({
    uid: z.string(),
    name: z.string(),
    /** Empty for what belongs to no namespace. */
    namespace: z.string(),
    createdAt: timestamp.nullable(),
    /** As the cluster prints them, in the order of the columns; null where it prints nothing. */
    cells: z.array(z.string().nullable()),
    /** Of claims and volumes; null for what is no storage. */
    usage: volumeUsage.nullable(),
    /** Of services: whether anything answers them. Null for every other resource, and while it is not known. */
    health: health.nullable(),
    /**
     * Of config maps, and of secrets that programs read: what names it in its namespace. Null for every other resource, for
     * what Kubernetes or Helm use by themselves, and while it is not known.
     */
    users: objectUsers.nullable(),
  })
  .meta({ id: 'ObjectRow' })
export type ObjectRow = z.infer<typeof objectRow>

/** Another object, and its resource where the cluster serves it. */
export const objectRef = z
  .object({
    resource: z.string().nullable(),
    kind: z.string(),
    namespace: z.string(),
    name: z.string(),
  })
  .meta({ id: 'ObjectRef' })
export type ObjectRef = z.infer<typeof objectRef>

export const ownedObject = objectRef
  .extend({
    health: health.nullable(),
    /** In words, as its list shows it; null where nothing is known beside its name. */
    status: z.string().nullable(),
    createdAt: timestamp.nullable(),
    /** Of a pod. */
    pod: z
      .object({
        readyContainers: z.number().int(),
        containers: z.number().int(),
        restarts: z.number().int(),
        node: z.string().nullable(),
      })
      .nullable(),
    /** Of a replica set that a deployment made: the number of the revision, and what it runs. */
    revision: z.object({ number: z.number().int(), images: z.array(z.string()).max(20) }).nullable(),
  })
  .meta({ id: 'OwnedObject' })
export type OwnedObject = z.infer<typeof ownedObject>

export const objectDetail = z
  .object({
    resource: resourceInfo,
    /** The object as the API server keeps it. Of a Secret the values are null, and what repeats them is left out. */
    object: z.record(z.string(), z.unknown()),
    /** Values were withheld: they are read through the cluster's proxy, which records who did. */
    isRedacted: z.boolean(),
    /** Null for kinds that do not run. */
    health: health.nullable(),
    owners: z.array(objectRef).max(20),
    /** At most 200, pods among them. */
    owned: z.array(ownedObject).max(200),
    ownedTotal: z.number().int(),
    /** Of a claim or a volume; null for what is no storage. */
    usage: volumeUsage.nullable(),
    /** The latest 50. */
    events: z.array(eventRow).max(50),
    asOf: timestamp,
  })
  .meta({ id: 'ObjectDetail' })
export type ObjectDetail = z.infer<typeof objectDetail>

/** What one object has to do with another, read from the one whose page is open. */
export const objectRelations = [
  'runs_on',
  'runs',
  'uses',
  'used_by',
  'bound_to',
  'selects',
  'selected_by',
  'endpoints',
  'endpoints_of',
  'routes_to',
  'routed_by',
  'scales',
  'scaled_by',
  'protected_by',
  'limited_by',
  'grants',
  'grants_to',
  'granted_by',
  'calls',
  'revision',
] as const
export type ObjectRelation = (typeof objectRelations)[number]

export const relatedObject = objectRef
  .extend({
    relation: z.enum(objectRelations),
    /** Null for kinds that do not run. */
    health: health.nullable(),
    /** What they have to do with one another, in words. */
    detail: z.string().nullable(),
    /** It is referred to, needed, and not there. */
    isMissing: z.boolean(),
  })
  .meta({ id: 'RelatedObject' })
export type RelatedObject = z.infer<typeof relatedObject>

export const resourceParam = z
  .string()
  .max(317)
  .regex(resourcePattern, 'Name a resource as kubectl does, e.g. deployments.apps.')

const resourceParams = idParams.extend({ resource: resourceParam })
/** The address of one object of a cluster. */
export const objectParams = resourceParams.extend({
  namespace: z
    .string()
    .max(63)
    .regex(
      /^(-|[a-z0-9]([-a-z0-9]*[a-z0-9])?)$/,
      `Name a namespace, or ${noNamespace} for what belongs to none.`,
    ),
  name: z
    .string()
    .min(1)
    .max(253)
    // A segment of a path must not change where the path leads.
    .regex(/^(?!\.{1,2}$)[^/%\\]+$/, 'Not the name of an object.'),
})

export const objectReadErrors = [
  'not_found',
  'conflict',
  'cluster_unreachable',
  'cluster_forbidden',
  'forbidden',
] as const

export const kubernetesObjectEndpoints = {
  'kubernetes.resources': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/resources',
    summary: 'Resources that one cluster serves, custom ones among them',
    access: 'kubernetes.read',
    params: idParams,
    response: z.object({
      /** By group and name; at most 2,000. */
      resources: z.array(resourceInfo).max(2000),
      /** API groups whose server did not answer: what they serve is missing. */
      unavailableGroups: z.array(z.string()).max(200),
      asOf: timestamp,
    }),
    errors: objectReadErrors,
  }),
  'kubernetes.objects': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/objects/{resource}',
    summary: 'Objects of one resource of a cluster, with the columns that the cluster prints',
    access: 'kubernetes.read',
    params: resourceParams,
    query: pageQuery.extend({
      search: searchText,
      namespace: z.string().max(63).optional(),
      labels: labelSelector,
      /** Only services in this state of health. */
      health: healthState.optional(),
      /** `name`, `namespace`, `createdAt`, `usage` of storage, `health` of services, or the name of a column. */
      sort: z.string().max(100).default('name'),
    }),
    response: z.object({
      resource: resourceInfo,
      columns: z.array(objectColumn),
      objects: z.array(objectRow),
      /** Services by their state of health, before `health` narrows them; null for other resources. */
      counts: stateCounts.nullable(),
      total: z.number().int(),
      page: z.number().int(),
      limit: z.number().int(),
      isPartial,
      ...freshness,
    }),
    errors: objectReadErrors,
  }),
  'kubernetes.object': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/objects/{resource}/{namespace}/{name}',
    summary: 'One object of a cluster with its health, owners, what it owns, and events',
    access: 'kubernetes.read',
    params: objectParams,
    response: objectDetail,
    errors: objectReadErrors,
  }),
  'kubernetes.related': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/objects/{resource}/{namespace}/{name}/related',
    summary: 'What an object of a cluster refers to, and what refers to it',
    access: 'kubernetes.read',
    params: objectParams,
    response: z.object({
      related: z.array(relatedObject).max(300),
      relatedTotal: z.number().int(),
      /** Resources of which only the first 500 objects were looked at. */
      cutLists: z.array(z.string()).max(20),
      /** Resources that could not be looked at, and why. */
      unreadable: z.array(z.object({ resource: z.string(), reason: z.string() })).max(20),
      asOf: timestamp,
    }),
    errors: objectReadErrors,
  }),
} as const
