import { autocompletion } from '@codemirror/autocomplete'
import type { EditorState, Extension } from '@codemirror/state'
import { useMemo } from 'react'
import { useResources } from '../../../data/kubernetes.ts'
import { useClusterSchemas } from './cluster-schemas.ts'
import { manifestCompletion } from './manifest-completion.ts'
import { manifestHover } from './manifest-hover.ts'
import { manifestLint } from './manifest-lint.ts'
import type { TextProblem } from './text-problem.ts'

/**
 * Completion, hover and problems of Kubernetes objects, by the cluster's own schemas. `others` adds problems that only
 * the caller knows; it must stay the same function.
 */
export function useManifestEditing(
  clusterId: number,
  others?: (state: EditorState) => readonly TextProblem[],
): Extension {
  const schemas = useClusterSchemas(clusterId)
  const { data } = useResources(clusterId)
  return useMemo(() => {
    const kinds = (data?.resources ?? []).map(({ group, version, kind }) => ({
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
    }))
    return [
      manifestLint(schemas, others),
      autocompletion({ icons: false, override: [manifestCompletion(schemas, () => kinds)] }),
      manifestHover(schemas),
    ]
  }, [schemas, data, others])
}
