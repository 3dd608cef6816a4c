import { deniedReason } from '@bey/contract'
import { useMemo, useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useStepTypes } from '../../../data/workflow-authoring.ts'
import { diffText } from '../../../entities/kubernetes/yaml/diff-text.ts'
import { cx } from '../../../ui/class-names.ts'
import { Segmented } from '../../../ui/segmented.tsx'
import { useIsMobile } from '../../../ui/use-is-mobile.ts'
import { useUnsaved } from '../../../lib/unsaved.ts'
import { EditorDialogs } from './editor-dialogs.tsx'
import type { EditorDialog } from './editor-dialogs.tsx'
import { forgetDraft } from './editor-drafts.ts'
import { EditorHead } from './editor-head.tsx'
import { useEditorKeys } from './editor-keys.ts'
import { EditorPanel } from './editor-panel.tsx'
import { GraphPane } from './graph-pane.tsx'
import { showNextProblem } from './problem-bar.tsx'
import { suggestionsFor } from './suggestions.ts'
import { useDebounced } from './use-debounced.ts'
import { useEditor } from './use-editor.ts'
import type { Editor } from './use-editor.ts'
import { useKeptDraft } from './use-kept-draft.ts'
import { useKnownValues, useSecretNames } from './use-known-values.ts'
import { useMedia } from './use-media.ts'
import { YamlPane } from './yaml-pane.tsx'

export interface WorkflowEditorProps {
  /** Undefined: a new workflow. */
  workflowId: string | undefined
  /** What is saved, as YAML; a template for a new one. */
  baseText: string
  baseVersion: number | undefined
  /** What is edited first: a kept draft, else what is saved. */
  initialText: string
  keptKey: string
  /** The last run, whose values expressions are shown with. */
  lastRunId: string | undefined
  /** Another version was saved or the draft discarded: the editor begins anew with it. */
  onRestart: () => void
}

const noTypes: readonly never[] = []

/** Graph, text and form of one definition, side by side; below 1,360 px graph and text share their room. */
export function WorkflowEditor(props: WorkflowEditorProps) {
  const { workflowId, baseText, baseVersion, initialText, keptKey, lastRunId, onRestart } = props
  const editor = useEditor(initialText, workflowId)
  const { draft, text } = editor
  const types = useStepTypes().data?.stepTypes ?? noTypes
  const known = useKnownValues(lastRunId)
  const secrets = useSecretNames()
  const isDirty = text !== baseText
  const isReadOnly = useIsMobile()
  const isNarrow = useMedia('(max-width: 1359px)')
  const [tab, setTab] = useState<'graph' | 'yaml'>('graph')
  const [group, setGroup] = useState<readonly string[]>()
  const [open, setOpen] = useState<EditorDialog>()
  const { keptAt, isTooLarge } = useKeptDraft(keptKey, text, baseVersion, isDirty)
  const endGuard = useUnsaved(isDirty && !isReadOnly ? 'the workflow that you edit' : undefined)
  const compared = useDebounced(text, 500)
  const changes = useMemo(
    () => (baseVersion === undefined ? { added: 0, removed: 0 } : diffText(baseText, compared)),
    [baseText, baseVersion, compared],
  )
  const saveReason = useSaveReason(editor, workflowId, isDirty, baseVersion)
  const suggestions = (step: number | undefined) => suggestionsFor(draft, step, known ?? {}, types, secrets)
  const openIf = (dialog: EditorDialog, reason: string | undefined) =>
    reason === undefined ? setOpen(dialog) : undefined

  useEditorKeys(
    {
      undo: editor.undo,
      redo: editor.redo,
      save: () => openIf('save', saveReason),
      test: () => document.querySelector<HTMLElement>('[data-test-step]')?.click(),
      nextProblem: () => showNextProblem(editor),
      addStep: () => openIf('add', editor.unreadable?.message),
    },
    !isReadOnly,
  )
  const name = typeof draft.root['name'] === 'string' ? draft.root['name'] : ''
  const showsGraph = !isNarrow || tab === 'graph'
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <EditorHead
        editor={editor}
        title={name || 'New workflow'}
        baseVersion={baseVersion}
        isDirty={isDirty}
        changes={changes}
        keptAt={keptAt}
        isTooLarge={isTooLarge}
        saveReason={saveReason}
        isReadOnly={isReadOnly}
        onDiscard={() => setOpen('discard')}
        onChanges={() => setOpen('changes')}
        onSave={() => setOpen('save')}
      />
      {isNarrow ? (
        <div className="border-b border-line px-(--gutter) py-2">
          <Segmented
            label="What is shown"
            value={tab}
            options={[
              { value: 'graph', label: 'Graph' },
              { value: 'yaml', label: 'YAML' },
            ]}
            onChange={setTab}
          />
        </div>
      ) : null}
      <div className="flex min-h-0 flex-1 max-md:flex-none max-md:flex-col">
        <div
          className={cx(
            'min-h-0 min-w-0 flex-1 max-md:h-96 max-md:flex-none',
            showsGraph ? 'flex' : 'hidden',
          )}
        >
          <GraphPane
            editor={editor}
            types={types}
            isReadOnly={isReadOnly}
            onAdd={() => setOpen('add')}
            onGroup={setGroup}
          />
        </div>
        {/* Hidden, it still holds the text and its history. */}
        <div
          className={cx(
            'min-h-0 min-w-0 flex-1 border-line max-md:h-96 max-md:flex-none md:border-l',
            isNarrow && showsGraph ? 'hidden' : 'flex',
          )}
        >
          <YamlPane
            editor={editor}
            baseText={baseVersion === undefined ? '' : baseText}
            types={types}
            suggestions={suggestions}
            isReadOnly={isReadOnly}
            onSubmit={() => undefined}
          />
        </div>
        <div className="flex min-h-0 w-full shrink-0 border-line max-md:border-t md:w-96 md:border-l">
          <EditorPanel
            editor={editor}
            types={types}
            known={known}
            lastRunId={lastRunId}
            group={group}
            onGroupClose={() => setGroup(undefined)}
            suggestions={suggestions}
            isReadOnly={isReadOnly}
          />
        </div>
      </div>
      <EditorDialogs
        open={open}
        editor={editor}
        types={types}
        workflowId={workflowId}
        title={name || 'New workflow'}
        baseText={baseText}
        baseVersion={baseVersion}
        changes={changes}
        onClose={() => setOpen(undefined)}
        onAdded={() => {
          setGroup(undefined)
          setOpen(undefined)
        }}
        onDone={() => {
          forgetDraft(keptKey)
          endGuard()
        }}
        onRestart={onRestart}
      />
    </div>
  )
}

/** Why the text cannot be saved as it is. */
function useSaveReason(
  { unreadable, problems, draft }: Editor,
  workflowId: string | undefined,
  isDirty: boolean,
  baseVersion: number | undefined,
): string | undefined {
  const denied = deniedReason(useRole(), workflowId === undefined ? 'workflows.create' : 'workflows.update')
  const stale = useStaleReason()
  const errors = problems.filter(({ severity }) => severity === 'error').length
  if (denied ?? stale) return denied ?? stale
  if (unreadable) return `Line ${unreadable.line} cannot be read.`
  if (errors > 0) return errors === 1 ? 'Solve the problem first.' : `Solve the ${errors} problems first.`
  if (draft.steps.length === 0) return 'Add a step first.'
  if (!isDirty && baseVersion !== undefined) return `Nothing has changed since version ${baseVersion}.`
  return undefined
}
