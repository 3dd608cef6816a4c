import { Redo2, Undo2 } from 'lucide-react'
import { formatCount } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { isApple } from '../../../ui/is-apple.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { momentText } from '../../../ui/time-text.ts'
import type { Problem } from '../definition/problems.ts'
import { showProblem } from './problem-bar.tsx'
import type { Editor } from './use-editor.ts'

export interface EditorHeadProps {
  editor: Editor
  title: string
  /** The version that is edited; undefined for a new workflow. */
  baseVersion: number | undefined
  isDirty: boolean
  /** How the text differs from the saved one. */
  changes: { added: number; removed: number }
  keptAt: number | undefined
  /** The text is too large to be kept in the browser. */
  isTooLarge: boolean
  saveReason: string | undefined
  isReadOnly: boolean
  onDiscard: () => void
  onChanges: () => void
  onSave: () => void
}

/** What is edited, what is wrong with it, and the way to save it. */
export function EditorHead(props: EditorHeadProps) {
  const { editor, title, baseVersion, isDirty, saveReason, isReadOnly, onDiscard, onChanges, onSave } = props
  const next = (baseVersion ?? 0) + 1
  const mod = isApple ? '⌘' : 'Ctrl '
  return (
    <PageHeader
      title={title}
      aside={
        <Badge>
          {isReadOnly
            ? `version ${baseVersion ?? 1}`
            : baseVersion === undefined
              ? 'new'
              : isDirty
                ? `draft of version ${next}`
                : `version ${baseVersion}`}
        </Badge>
      }
      description={<Sentence {...props} />}
      actions={
        isReadOnly ? null : (
          <>
            <IconButton
              label="Undo"
              shortcut={`${mod}Z`}
              icon={<Undo2 size={16} aria-hidden />}
              disabledReason={editor.canUndo ? undefined : 'There is nothing to undo.'}
              onClick={editor.undo}
            />
            <IconButton
              label="Redo"
              shortcut={isApple ? '⇧⌘Z' : 'Ctrl Shift Z'}
              icon={<Redo2 size={16} aria-hidden />}
              disabledReason={editor.canRedo ? undefined : 'There is nothing to redo.'}
              onClick={editor.redo}
            />
            <Button
              variant="ghost"
              onClick={onDiscard}
              disabledReason={isDirty ? undefined : 'There is nothing to discard.'}
            >
              Discard
            </Button>
            {baseVersion === undefined ? null : (
              <Button
                onClick={onChanges}
                disabledReason={isDirty ? undefined : `Nothing has changed since version ${baseVersion}.`}
              >
                Changes
              </Button>
            )}
            <Button variant="primary" onClick={onSave} disabledReason={saveReason}>
              {baseVersion === undefined ? 'Create workflow' : `Save version ${next}`}
            </Button>
          </>
        )
      }
    />
  )
}

function Sentence(props: EditorHeadProps) {
  const { editor, baseVersion, isDirty, changes, keptAt, isTooLarge, isReadOnly } = props
  const { unreadable, problems, draft, isChecking, checkFailure } = editor
  if (isReadOnly) return <>Read only here. Open it on a wider screen to edit it.</>
  const errors = problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  const rest = [
    isDirty && baseVersion !== undefined ? changeText(changes, baseVersion) : '',
    isTooLarge
      ? 'too large to be kept in the browser: a reload loses it'
      : keptAt === undefined || !isDirty
        ? ''
        : `draft kept here at ${momentText(new Date(keptAt))}`,
  ].filter(Boolean)
  return (
    <>
      {unreadable ? (
        <span className="text-danger">Line {unreadable.line} cannot be read.</span>
      ) : first ? (
        <button
          type="button"
          onClick={() => showProblem(editor, first)}
          className="text-left text-danger underline-offset-4 hover:underline"
        >
          {formatCount(errors.length, 'problem')} to solve before saving{placeOf(first, draft.steps)}.
        </button>
      ) : checkFailure ? (
        <span>The server could not check it; saving does so again.</span>
      ) : isChecking ? (
        <span>Checking…</span>
      ) : (
        <span>{draft.steps.length === 0 ? 'Add a first step.' : 'No problem found.'}</span>
      )}{' '}
      {rest.length > 0 ? <span>{sentence(rest.join('; '))}</span> : null}
    </>
  )
}

function placeOf({ step }: Problem, steps: readonly { name: string; key: string }[]): string {
  const found = step === undefined ? undefined : steps[step]
  return found ? `, in ${found.name || found.key}` : ''
}

function changeText({ added, removed }: { added: number; removed: number }, version: number): string {
  return `${formatCount(added, 'line')} added and ${removed} removed since version ${version}`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
