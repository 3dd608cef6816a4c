import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readLatestVersion } from '../../../data/workflow-authoring.ts'
import { useChange } from '../../../data/use-change.ts'
import { codeOf, toastCause } from '../../../lib/error-text.ts'
import { toast } from '../../../ui/toast.ts'
import { definitionOf, definitionText, hasComments } from '../definition/definition-text.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import type { OtherVersion } from './conflict-dialog.tsx'
import { SaveDialog } from './save-dialog.tsx'
import type { Editor } from './use-editor.ts'

export interface SaveFlowProps {
  editor: Editor
  workflowId: string | undefined
  baseText: string
  baseVersion: number | undefined
  onClose: () => void
  /** It is saved: the draft is not needed any more. */
  onSaved: () => void
  /** The editor begins anew with what is saved. */
  onRestart: () => void
}

/** Saves a version with its reason; asks what to do where somebody else saved one meanwhile. */
export function SaveFlow(props: SaveFlowProps) {
  const { editor, workflowId, baseText, baseVersion, onClose, onSaved, onRestart } = props
  const [other, setOther] = useState<OtherVersion>()
  const [reason, setReason] = useState('')
  const create = useChange('workflows.create')
  const save = useChange('workflows.update')
  const navigate = useNavigate()
  const definition = definitionOf(editor.draft.root)

  const saveOn = (base: number, why: string) =>
    save.mutate(
      { params: { id: workflowId ?? '' }, body: { ...definition, reason: why, baseVersion: base } },
      {
        onSuccess: ({ version }) => {
          toast('success', `Version ${version.version} saved`)
          onRestart()
        },
        onError: (error) => {
          if (codeOf(error) === 'conflict') void askAboutOther(error)
        },
      },
    )
  const askAboutOther = async (error: unknown) => {
    try {
      const { version, definition: theirs } = await readLatestVersion(workflowId ?? '')
      setOther({
        version: version.version,
        by: version.createdBy.name || 'Somebody else',
        at: version.createdAt,
        reason: version.reason,
        text: definitionText(theirs),
      })
    } catch {
      // The refusal itself says what happened; who it was cannot be read.
      toast('error', 'Failed to update workflow', toastCause(error))
    }
  }
  const begin = ({ reason: why, isDraft }: { reason: string; isDraft: boolean }) => {
    setReason(why)
    if (workflowId !== undefined && baseVersion !== undefined) return saveOn(baseVersion, why)
    create.mutate(
      { body: { ...definition, reason: why, state: isDraft ? 'draft' : 'active' } },
      {
        onSuccess: ({ workflow }) => {
          toast('success', `${workflow.name} created`)
          onSaved()
          void navigate({ href: `/workflows/${workflow.id}` })
        },
      },
    )
  }
  if (other) {
    return (
      <ConflictDialog
        other={other}
        own={editor.text}
        busy={save.isPending}
        onSaveAsNext={() => saveOn(other.version, reason)}
        onDiscard={onRestart}
        onClose={onClose}
      />
    )
  }
  const isConflict = codeOf(save.error) === 'conflict'
  return (
    <SaveDialog
      nextVersion={baseVersion === undefined ? undefined : baseVersion + 1}
      before={baseText}
      after={editor.text}
      losesComments={hasComments(editor.draft.document)}
      busy={create.isPending || save.isPending || isConflict}
      error={create.error ?? (isConflict ? undefined : save.error)}
      onSave={begin}
      onClose={onClose}
    />
  )
}
