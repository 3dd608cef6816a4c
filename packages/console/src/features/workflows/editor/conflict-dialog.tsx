import { useState } from 'react'
import { diffText } from '../../../entities/kubernetes/yaml/diff-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DiffLines } from '../../../ui/diff-lines.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'

/** What somebody else saved meanwhile. */
export interface OtherVersion {
  version: number
  by: string
  at: string
  reason: string
  text: string
}

export interface ConflictDialogProps {
  other: OtherVersion
  /** The text of this editor. */
  own: string
  busy: boolean
  onSaveAsNext: () => void
  onDiscard: () => void
  onClose: () => void
}

/** Somebody else saved meanwhile: compare, save as the next version, or discard. Nothing is overwritten unasked. */
export function ConflictDialog({ other, own, busy, onSaveAsNext, onDiscard, onClose }: ConflictDialogProps) {
  const [isComparing, setComparing] = useState(false)
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`${other.by} saved version ${other.version} meanwhile`}
      description={
        <>
          <RelativeTime at={other.at} />
          {other.reason ? `: ${other.reason}` : ''}
        </>
      }
      size="wide"
      footer={
        <>
          <Button onClick={onDiscard}>Discard my changes</Button>
          <Button onClick={() => setComparing(!isComparing)}>{isComparing ? 'Hide' : 'Compare'}</Button>
          <Button variant="primary" busy={busy} onClick={onSaveAsNext}>
            Save as version {other.version + 1}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 pb-1">
        <p className="text-text-2">
          Saved as version {other.version + 1}, your text replaces what version {other.version} changed.
          Version {other.version} stays in the list of versions.
        </p>
        {isComparing ? (
          <DiffLines
            label={`From version ${other.version} to your text`}
            lines={diffText(other.text, own).lines}
          />
        ) : null}
      </div>
    </Dialog>
  )
}
