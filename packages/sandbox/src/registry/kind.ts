import type { JsonObject } from '../json.ts'
import type { CustomResourceDefinition, KubeObject } from '../types.ts'

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

type ScalePaths = { spec: string[]; status: string[]; selector?: string[] }

/** What the API machinery has to know of one kind in one version. */
export type Kind = {
  group: string
  version: string
  resource: string
  kind: string
  singular: string
  shortNames: readonly string[]
  categories: readonly string[]
  namespaced: boolean
  verbs: readonly Verb[]
  /** Where its objects lie in the store: `pods`, `deployments.apps`. Versions of one kind share it. */
  key: string
  /** Name of its shape in generated/schemas.json. */
  model?: string
  hasStatus: boolean
  /** Set where `/scale` exists. */
  scale?: ScalePaths
  /** Further subresources with the kind that their body has. */
  subresources?: readonly {
    name: string
    kind: string
    group?: string
    version?: string
    verbs: readonly string[]
  }[]
  /** False where the kind has no `metadata.generation`. */
  hasGeneration: boolean
  /** Objects of this kind that answer a request without being kept (reviews). */
  isVirtual?: boolean
  /** Its objects where nothing is stored, and they are always the same. */
  computed?: readonly KubeObject[]
  /** What clients are warned of for a deprecated kind: since which minor version of Kubernetes, and what to use instead. */
  deprecation?: { minor: number; instead?: string } | { warning: string }
  /** Turns the stored form into this version's and back. */
  convert?: { fromStored(object: JsonObject): JsonObject; toStored(object: JsonObject): JsonObject }
  /** Set on kinds that a CustomResourceDefinition made. */
  definition?: CustomResourceDefinition
}

export const allVerbs: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

export function apiVersionOf(kind: { group: string; version: string }): string {
  return kind.group ? `${kind.group}/${kind.version}` : kind.version
}
