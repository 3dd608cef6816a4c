import type { SecretTransferFormat } from '@bey/contract'
import { secretLimits, secretTransferFormats } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import type { SecretsToExport } from '../../data/secret-transfer.ts'
import { useExportSecrets } from '../../data/secret-transfer.ts'
import { causeOf } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'
import { formatLabels } from './import-format.ts'

export interface ExportDialogProps {
  /** Which secrets: those of the list as it is filtered, or single ones. */
  chosen: Pick<SecretsToExport, 'ids' | 'filter'>
  /** How many these are. */
  count: number
  onClose: () => void
}

/** Downloads values as a file, after the reason was recorded for each of them. */
export function ExportDialog({ chosen, count, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<SecretTransferFormat>('env')
  const [reason, setReason] = useState('')
  const send = useExportSecrets()
  const isReady = reason.trim().length >= 3
  const tooMany =
    count > secretLimits.exportEntries
      ? `At most ${secretLimits.exportEntries} secrets are exported at once. Narrow the list first.`
      : undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isReady || send.isPending || tooMany) return
    send.mutate(
      { ...chosen, format, reason: reason.trim() },
      {
        onSuccess: () => {
          toast('success', 'Secrets exported', {
            description: 'The file holds their values in clear text. Delete it once it was used.',
          })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Export secrets"
      description={`${formatCount(count, 'secret')} of this list, with their current values.`}
      isModalStrict
    >
      <form onSubmit={submit} className="flex flex-col gap-4 pb-1">
        <Notice tone="warn" title="The file holds the values in clear text">
          Each of these reads is recorded in the audit trail. Secrets that are disabled or being deleted are
          left out.
        </Notice>
        <Field label="Format">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={format}
              options={secretTransferFormats.map((value) => ({ value, label: formatLabels[value] }))}
              onChange={(event) => setFormat(event.target.value as SecretTransferFormat)}
            />
          )}
        </Field>
        <Field label="Reason" required error={send.error ? causeOf(send.error) : undefined}>
          {(control) => (
            <Input
              {...control}
              data-initial-focus=""
              value={reason}
              maxLength={secretLimits.reason}
              autoComplete="off"
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            disabled={!isReady}
            disabledReason={tooMany}
            busy={send.isPending}
          >
            Download
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
