import { deniedReason } from '@bey/contract'
import { useEffect } from 'react'
import type { SavingList } from '../../data/billing.ts'
import { useRole } from '../../data/session.ts'
import { useChange } from '../../data/use-change.ts'
import { estimateText, moneyText } from '../../entities/billing/money.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'

interface SavingDialogProps {
  saving: SavingList['savings'][number]
  currency: string
  onClose: () => void
}

/** The change that realises a saving: what it does, tried on the cluster, and the button that makes it. */
export function SavingDialog({ saving, currency, onClose }: SavingDialogProps) {
  const { id, title, amount, isDirect, change, resourceName } = saving
  const denied = deniedReason(useRole(), 'clusters.provision')
  const preview = useChange('savings.apply')
  const apply = useChange('savings.apply')
  const { mutate: tryIt } = preview
  const isTried = change.refusal === null && denied === undefined
  // The cluster itself is asked whether it would take the change.
  useEffect(() => {
    if (isTried) tryIt({ body: { id, isDryRun: true } })
  }, [isTried, tryIt, id])
  const worth = `${estimateText(amount, currency)} a month, estimated`
  const refusal =
    denied ??
    change.refusal ??
    (preview.isSuccess ? undefined : preview.isError ? causeOf(preview.error) : 'The cluster is being asked.')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="wide"
      title={<span className="wrap-anywhere">{title}</span>}
      description={
        isDirect ? `Saves ${worth}.` : `Frees room worth ${worth}. It saves money once a node is removed.`
      }
      footer={
        <>
          {change.path === null ? null : (
            <ButtonLink href={change.path} className="max-w-full">
              <span className="truncate">Open {resourceName}</span>
            </ButtonLink>
          )}
          <Button
            variant="primary"
            busy={apply.isPending}
            disabledReason={refusal}
            onClick={() =>
              apply.mutate(
                { body: { id, isDryRun: false } },
                {
                  onSuccess: ({ run }) => {
                    toast('success', run ? 'The saving is being applied.' : 'The saving is applied.')
                    onClose()
                  },
                },
              )
            }
          >
            Apply
          </Button>
        </>
      }
    >
      <p className="pb-3 wrap-anywhere">{change.text}</p>
      {change.refusal === null ? null : <p className="pb-3 text-text-2">{change.refusal}</p>}
      {change.yaml === null ? null : <CodeBlock label="Patch as YAML" text={change.yaml} />}
      {isTried ? <Preview reply={preview.data} error={preview.error} /> : null}
      {apply.error ? (
        <div className="pt-3">
          <Notice tone="danger" title={causeOf(apply.error)} />
        </div>
      ) : null}
    </Dialog>
  )
}

type Reply = NonNullable<ReturnType<typeof useChange<'savings.apply'>>['data']>

/** What the cluster says to the change, and what it does to the forecast. */
function Preview({ reply, error }: { reply: Reply | undefined; error: Error | null }) {
  if (error) return <Notice tone="warn" title={`The cluster would not take it: ${causeOf(error)}`} />
  if (reply === undefined) return <Skeleton className="h-10" />
  const { changes, forecast } = reply
  return (
    <div className="pt-3">
      {changes.length === 0 ? null : (
        <table className="w-full tabular-nums">
          <thead>
            <tr className="text-left text-text-2">
              <th className="py-1 font-normal">Field</th>
              <th className="py-1 font-normal">Now</th>
              <th className="py-1 font-normal">Then</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field} className="border-t border-line">
                <td className="py-1">{field}</td>
                <td className="py-1">{before}</td>
                <td className="py-1">{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {forecast === null ? null : (
        <p className="py-1">
          The forecast of the month moves from {moneyText(forecast.before, forecast.currency)} to{' '}
          <strong className="font-semibold">{moneyText(forecast.after, forecast.currency)}</strong>.
        </p>
      )}
      <p className="text-small text-text-2">Tried on the cluster: it would take the change.</p>
    </div>
  )
}
