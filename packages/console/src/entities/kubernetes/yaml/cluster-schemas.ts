import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readOpenApi } from '../../../data/open-api.ts'
import { useOrganizationId } from '../../../data/session.ts'
import { groupVersion, schemaSet } from './open-api.ts'
import type { SchemaSet } from './open-api.ts'

/** The cluster's own schemas, read when they are first needed. */
export interface ClusterSchemas {
  /** Undefined where the cluster does not serve the version, or cannot be asked: then nothing is checked. */
  find: (apiVersion: string) => Promise<SchemaSet | undefined>
}

export function useClusterSchemas(clusterId: number): ClusterSchemas {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMemo(
    () => ({
      find: async (apiVersion) => {
        try {
          const document = await readOpenApi(cache, { organizationId, clusterId, apiVersion })
          return document === undefined ? undefined : setOf({ document, apiVersion })
        } catch {
          // Without its schemas the text can still be edited; the dry run says what is wrong with it.
          return undefined
        }
      },
    }),
    [cache, organizationId, clusterId],
  )
}

const sets = new WeakMap<object, SchemaSet>()

function setOf({ document, apiVersion }: { document: unknown; apiVersion: string }): SchemaSet {
  const { group, version } = groupVersion(apiVersion)
  if (typeof document !== 'object' || document === null) return schemaSet(document, group, version)
  const known = sets.get(document) ?? schemaSet(document, group, version)
  sets.set(document, known)
  return known
}
