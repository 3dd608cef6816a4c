import type { AuditVerification } from '@bey/contract'
import { ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { auditHref } from '../../entities/audit/audit-href.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatCount, formatDuration, formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { absoluteTime } from '../../ui/time-text.ts'
import { toast } from '../../ui/toast.ts'

/** Whether the whole log is in place and unchanged, as last verified. */
export function VerifyLine({ actions }: { actions: ReactNode }) {
  const { data, error } = useRead(
    'audit.verification',
    {},
    { isEnabled: true, refreshMs: (last) => (last?.state === 'running' ? 1_000 : undefined) },
  )
  const { mutateAsync, isPending } = useChange('audit.verify')
  async function verify() {
    try {
      await mutateAsync({})
    } catch (error) {
      const { title, detail } = errorText('Failed to verify the audit log', error)
      toast('error', title, detail ? { description: detail } : {})
    }
  }
  const isBroken = data?.state === 'broken'
  return (
    <section
      aria-label="Verification"
      className={cx(
        'flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-(--gutter) py-3',
        isBroken && 'bg-danger-soft',
      )}
    >
      <div role={isBroken ? 'alert' : 'status'} className="flex min-w-0 flex-1 basis-80 items-start gap-2.5">
        <span className={cx('flex h-5 items-center', isBroken ? 'text-danger' : 'text-ok')}>
          {isBroken ? <StatusMark glyph="triangle" /> : null}
          {data && !isBroken ? (
            <ShieldCheck size={16} aria-hidden className={data.state === 'intact' ? '' : 'text-text-3'} />
          ) : null}
        </span>
        <p className="min-w-0">
          {data ? (
            <Sentence verification={data} />
          ) : error ? (
            <Rest>Whether the log was verified cannot be read at the moment.</Rest>
          ) : (
            ' '
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy={isPending || data?.state === 'running'} onClick={() => void verify()}>
          {data?.state === 'never' ? 'Verify' : 'Verify again'}
        </Button>
        {actions}
      </div>
    </section>
  )
}

function Sentence({ verification }: { verification: AuditVerification }) {
  const { state, checked, total, durationMs, finishedAt, fault, checkpoint } = verification
  switch (state) {
    case 'never':
      return (
        <>
          <strong>Not verified yet.</strong>{' '}
          <Rest>Verify computes every link of the chain again and checks the signed checkpoints.</Rest>
        </>
      )
    case 'stopped':
      return (
        <>
          <strong>The last verification did not finish.</strong>{' '}
          <Rest>The server stopped. Verify again.</Rest>
        </>
      )
    case 'running':
      return (
        <>
          <strong>Verifying…</strong>{' '}
          <Rest>
            {total > 0 ? `${formatNumber(checked)} of ${formatCount(total, 'entry', 'entries')}` : ''}
          </Rest>
        </>
      )
    case 'intact':
      return (
        <>
          <strong>{intactText(total)}</strong>{' '}
          <Rest>
            Verified <RelativeTime at={finishedAt} /> in {formatDuration(durationMs)}
            {checkpoint
              ? `, up to the checkpoint of ${absoluteTime(new Date(checkpoint.at))} signed with key ${checkpoint.keyId}.`
              : '. The first signed checkpoint is made within the hour.'}
          </Rest>
        </>
      )
    case 'broken':
      return (
        <>
          <strong className="text-danger">
            The chain breaks at entry {formatNumber(fault?.position)}: {fault?.problem}.
          </strong>{' '}
          {fault?.entryId ? (
            <Link href={auditHref({ entry: fault.entryId, q: '' })} className="underline">
              Show the entry
            </Link>
          ) : (
            <Rest>That entry is not there any more. Compare with an exported copy.</Rest>
          )}
        </>
      )
  }
}

function Rest({ children }: { children: ReactNode }) {
  return <span className="text-text-2">{children}</span>
}

function intactText(total: number): string {
  if (total === 1) return 'The one entry is in place and unchanged.'
  return `All ${formatNumber(total)} entries are in place and unchanged.`
}
