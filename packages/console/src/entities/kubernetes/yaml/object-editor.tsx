import type { Cluster, ObjectDetail } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import type { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { useMemo, useState } from 'react'
import { useObject } from '../../../data/kubernetes.ts'
import { useRole } from '../../../data/session.ts'
import { useClusterStaleReason } from '../../clusters/use-cluster-stale-reason.ts'
import { useUnsaved } from '../../../lib/unsaved.ts'
import { CodeEditor } from '../../../ui/code-editor/code-editor.tsx'
import { mergeExtension, unanswered } from './conflict-marks.ts'
import { EditorToolbar } from './editor-toolbar.tsx'
import { useManifestEditing } from './use-manifest-editing.ts'
import { objectText } from './object-text.ts'
import { ReviewPanel } from './review-panel.tsx'
import { isFree } from './text-problem.ts'
import type { TextProblem } from './text-problem.ts'
import { useObjectEdit } from './use-object-edit.ts'

/** The YAML of one object, with its review beside it; read-only for who may not change it, with the reason. */
export function ObjectEditor({ cluster, detail }: { cluster: Cluster; detail: ObjectDetail }) {
  const { resource, object } = detail
  const metadata = isFree(object['metadata']) ? object['metadata'] : {}
  const namespace = typeof metadata['namespace'] === 'string' ? metadata['namespace'] : ''
  const name = typeof metadata['name'] === 'string' ? metadata['name'] : ''
  const query = useObject({ id: cluster.id, resource: resource.resource, namespace: namespace || '-', name })
  const [view, setView] = useState<EditorView | null>(null)
  const [isWhole, setWhole] = useState(false)
  const edit = useObjectEdit(
    {
      clusterId: cluster.id,
      resource,
      namespace,
      name,
      object,
      readLatest: async () => (await query.refetch()).data,
    },
    view,
  )
  const denied = useWriteReason(detail)
  const stale = useClusterStaleReason(cluster.id)
  const extensions = useManifestExtensions(cluster.id)
  useUnsaved(edit.isDirty ? `the changes to ${resource.kind} ${name}` : undefined, ['tab'])

  const submit = () => {
    if (denied ?? stale) return
    if (edit.isBusy || !edit.isDirty || edit.openConflicts > 0) return
    void (edit.review ? edit.apply() : edit.runReview())
  }
  return (
    <div className="grid lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="flex min-w-0 flex-col border-line lg:border-r">
        <EditorToolbar
          view={isWhole ? null : view}
          isWhole={isWhole}
          onWhole={setWhole}
          wholeReason={edit.isDirty ? 'Apply or discard your changes first.' : undefined}
          isMerging={edit.merged.length > 0}
        />
        <div className="relative h-[55dvh] min-h-80 lg:h-[calc(100dvh-14.75rem)]">
          {isWhole ? (
            <CodeEditor
              key={`whole ${String(metadata['resourceVersion'])}`}
              initialText={objectText(object, true)}
              language="yaml"
              label={`All fields of ${name}`}
              isReadOnly
              className="absolute inset-0"
            />
          ) : (
            <CodeEditor
              initialText={edit.text}
              language="yaml"
              label={`YAML of ${name}`}
              isReadOnly={denied !== undefined}
              extensions={extensions}
              onChange={(text) => {
                edit.change(text)
                edit.syncConflicts()
              }}
              onUpdate={edit.syncConflicts}
              onSubmit={submit}
              onView={setView}
              className="absolute inset-0"
            />
          )}
        </div>
      </div>
      <ReviewPanel
        cluster={cluster}
        detail={detail}
        edit={edit}
        denied={denied}
        stale={stale}
        isWhole={isWhole}
        onSubmit={submit}
      />
    </div>
  )
}

/** Why the object cannot be changed here, and who can help. */
function useWriteReason({ resource }: ObjectDetail): string | undefined {
  const role = useRole()
  if (!resource.verbs.includes('patch')) return `The cluster serves ${resource.plural} to read only.`
  const isSecret = resource.plural === 'secrets'
  return (
    deniedReason(role, 'kubernetes.write') ??
    (isSecret ? deniedReason(role, 'kubernetes.secrets') : undefined)
  )
}

/** Completion, hover, problems and merging, by the schemas of the cluster. */
function useManifestExtensions(clusterId: number) {
  const editing = useManifestEditing(clusterId, conflictProblems)
  return useMemo(() => [mergeExtension, editing], [editing])
}

/** What is not answered yet is a problem like others, so that F8 goes there. */
function conflictProblems(state: EditorState): TextProblem[] {
  return unanswered(state).map(({ from, to, title }) => ({
    from,
    to: Math.max(from, to - 1),
    severity: 'warning',
    message: `Both of you changed ${title}. Answer with 1 for yours, 2 for live, 3 for another value.`,
  }))
}
