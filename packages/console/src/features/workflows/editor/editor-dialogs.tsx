import type { StepTypeInfo } from '@bey/contract'
import { diffText } from '../../../entities/kubernetes/yaml/diff-text.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DiffLines } from '../../../ui/diff-lines.tsx'
import { withStep } from '../definition/draft-edits.ts'
import { AddStepDialog } from './add-step-dialog.tsx'
import { SaveFlow } from './save-flow.tsx'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import type { Editor } from './use-editor.ts'

export type EditorDialog = 'add' | 'changes' | 'discard' | 'save'

interface EditorDialogsProps {
  open: EditorDialog | undefined
  editor: Editor
  types: readonly StepTypeInfo[]
  /** Undefined: a new workflow. */
  workflowId: string | undefined
  title: string
  baseText: string
  baseVersion: number | undefined
  /** Lines, against what is saved. */
  changes: { added: number; removed: number }
  onClose: () => void
  /** A step was added. */
  onAdded: () => void
  /** What was edited is saved or discarded, so there is nothing to lose any more. */
  onDone: () => void
  onRestart: () => void
}

/** The dialogs of the editor, of which one at a time is open. */
export function EditorDialogs(props: EditorDialogsProps) {
  const { open, editor, types, workflowId, title, baseText, baseVersion, changes } = props
  const { onClose, onAdded, onDone, onRestart } = props
  const { draft, text } = editor
  return (
    <>
      {open === 'add' ? (
        <AddStepDialog
          types={types}
          after={editor.selected === undefined ? draft.steps.at(-1) : draft.steps[editor.selected]}
          onClose={onClose}
          onAdd={(type) => {
            const after = editor.selected === undefined ? undefined : draft.steps[editor.selected]
            const step = { type: type.type, name: type.label, config: type.example }
            editor.edit((now) => withStep(now, step, after).text)
            editor.select(draft.steps.length)
            onAdded()
          }}
        />
      ) : null}
      {open === 'changes' ? (
        <Dialog open onOpenChange={onClose} title={`Changes since version ${baseVersion ?? 0}`} size="wide">
          <DiffLines label="Changes" lines={diffText(baseText, text).lines} />
        </Dialog>
      ) : null}
      {open === 'discard' ? (
        <ConfirmDialog
          open
          onOpenChange={onClose}
          title="Discard your changes?"
          name={title}
          impact={[
            `${formatCount(changes.added, 'line')} added and ${formatNumber(changes.removed)} removed`,
            'The draft in this browser',
          ]}
          action="Discard changes"
          onConfirm={() => {
            onDone()
            onRestart()
          }}
        />
      ) : null}
      {open === 'save' ? (
        <SaveFlow
          editor={editor}
          workflowId={workflowId}
          baseText={baseText}
          baseVersion={baseVersion}
          onClose={onClose}
          onSaved={onDone}
          onRestart={() => {
            onDone()
            onRestart()
          }}
        />
      ) : null}
    </>
  )
}
