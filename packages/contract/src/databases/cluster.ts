import { z } from 'zod'
import { numericId } from '../base/schema.ts'
import {
  clusterLimits,
  clusterVersions,
  isParameterName,
  kubernetesName,
  kubernetesNameRule,
  parameterNameRule,
  volumeBytes,
  volumeSizeRule,
} from './cluster-rules.ts'

const count = z.number().int().min(0)

/** The Cluster of CloudNativePG that a database is on a connected cluster. */
export const databaseCluster = z
  .object({
    /** Null once the cluster was removed from Bey. */
    clusterId: z.number().int().nullable(),
    /** Of the cluster that it runs on. */
    title: z.string().nullable(),
    namespace: z.string(),
    /** Of the Cluster. */
    name: z.string(),
    /** It existed before Bey managed it. */
    isAdopted: z.boolean(),
    /** In the words of CloudNativePG; null until it was looked at. */
    phase: z.string().nullable(),
    instances: count.nullable(),
    readyInstances: count.nullable(),
    /** The pod of the primary. */
    primary: z.string().nullable(),
    instanceNames: z.array(z.string()).max(50),
    image: z.string().nullable(),
    /** Of each volume, as a quantity of Kubernetes. */
    storage: z.string().nullable(),
    storageClass: z.string().nullable(),
    /** Where CloudNativePG keeps its backups, in words; null where its Cluster names nothing. */
    backups: z.string().nullable(),
    parameters: z.record(z.string(), z.string()),
  })
  .meta({ id: 'DatabaseCluster' })
export type DatabaseCluster = z.infer<typeof databaseCluster>

export const kubeName = z.string().max(253).regex(kubernetesName, kubernetesNameRule)

const instances = z.number().int().min(1).max(clusterLimits.instances)
const storage = z.string().refine((text) => volumeBytes(text) !== undefined, volumeSizeRule)
const parameters = z
  .record(z.string().refine(isParameterName, parameterNameRule), z.string().max(clusterLimits.parameterChars))
  .refine((all) => Object.keys(all).length <= clusterLimits.parameters, {
    error: `At most ${clusterLimits.parameters} parameters can be set.`,
  })

/** What CloudNativePG is asked for. */
export const clusterWish = z.strictObject({
  clusterId: numericId,
  namespace: kubeName,
  instances: instances.default(1),
  /** Of the volume of each instance. */
  storage: storage.default('10Gi'),
  /** The default one of the cluster unless given. */
  storageClass: kubeName.optional(),
  /** Major version of PostgreSQL; what the operator chooses unless given. */
  version: z.enum(clusterVersions).optional(),
  parameters: parameters.default({}),
})
export type ClusterWish = z.infer<typeof clusterWish>

/** What is changed of a Cluster; what is left out stays. Parameters that are given replace all that Bey set. */
export const clusterChange = z
  .strictObject({
    instances: instances.optional(),
    storage: storage.optional(),
    parameters: parameters.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'Say what to change.')
