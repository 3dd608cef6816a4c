import type { SecretDetail } from '@bey/contract'
import { secretLimits } from '@bey/contract'
import { diffLines } from 'diff'
import { useEffect, useState } from 'react'
import { revealSecret } from '../../data/secrets.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { SecondsLeft } from '../../entities/secrets/revealed-value.tsx'
import type { RevealedValue } from '../../entities/secrets/use-reveal.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { cx } from '../../ui/class-names.ts'

type Shown = { before: string; after: string; untilMs: number }

/** An older value beside the current one. Both are revealed for it, so a reason is asked and both reads are recorded. */
export function CompareDialog({
  secret,
  version,
  onClose,
}: {
  secret: SecretDetail
  version: number
  onClose: () => void
}) {
  const [shown, setShown] = useState<Shown>()
  const [error, setError] = useState<unknown>()
  const [isPending, setPending] = useState(false)

  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(onClose, secretLimits.shownMs)
    return () => clearTimeout(timer)
  }, [shown, onClose])

  async function compare(reason: string): Promise<void> {
    setPending(true)
    setError(undefined)
    try {
      const older = await revealSecret(secret.id, reason, version)
      const current = await revealSecret(secret.id, reason)
      setShown({
        before: linesOf(older),
        after: linesOf(current),
        untilMs: Date.now() + secretLimits.shownMs,
      })
    } catch (failure) {
      setError(failure)
    } finally {
      setPending(false)
    }
  }

  const title = `Version ${version} and the current version ${secret.currentVersion}`
  if (!shown) {
    return (
      <ReasonDialog
        title={title}
        description="Both values are shown for 30 s; both reads are recorded with your reason."
        action="Compare"
        busy={isPending}
        error={error}
        onSubmit={(reason) => void compare(reason)}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={title}
      description={secret.name}
      size="wide"
      footer={
        <div className="flex w-full items-center justify-between gap-3">
          <SecondsLeft untilMs={shown.untilMs} />
          <Button onClick={onClose}>Hide</Button>
        </div>
      }
    >
      {shown.before === shown.after ? (
        <p className="text-text-2">Both versions have the same value.</p>
      ) : (
        <Difference before={shown.before} after={shown.after} />
      )}
    </Dialog>
  )
}

/** One line a field, so that only the lines of changed fields differ; a field of several lines stands below its name. */
function linesOf({ value }: RevealedValue): string {
  if (typeof value === 'string') return value
  return Object.entries(value)
    .map(([name, text]) => (text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`))
    .join('\n')
}

function Difference({ before, after }: Omit<Shown, 'untilMs'>) {
  return (
    <pre
      // A section would lose the whitespace that pre keeps.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="region"
      aria-label="Difference"
      // A box that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-control border border-line bg-sunken py-2 font-mono text-small"
    >
      {diffLines(before, after).flatMap((part, index) =>
        part.value
          .replace(/\n$/, '')
          .split('\n')
          .map((line, row) => (
            <span
              key={`${index} ${row}`}
              className={cx(
                'block px-3 break-all whitespace-pre-wrap',
                part.added && 'bg-ok-soft',
                part.removed && 'bg-danger-soft',
              )}
            >
              <span aria-hidden className="text-text-3">
                {part.added ? '+ ' : part.removed ? '− ' : '  '}
              </span>
              <span className="sr-only">{part.added ? 'added: ' : part.removed ? 'removed: ' : ''}</span>
              {line}
            </span>
          )),
      )}
    </pre>
  )
}
