import { useState } from 'react'
import type { Alert } from '../../data/alerts.ts'
import { useChange } from '../../data/use-change.ts'
import { errorText } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'

const hours = [
  { value: '1', label: '1 hour' },
  { value: '4', label: '4 hours' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
]

/** Asks until when an alert notifies nobody, and why. */
export function SilenceDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const silence = useChange('alerts.silence')
  const [until, setUntil] = useState('1')
  const [reason, setReason] = useState('')
  const [wasSubmitted, setSubmitted] = useState(false)
  const failure = silence.error ? errorText('The alert was not silenced', silence.error) : undefined
  const submit = () => {
    setSubmitted(true)
    if (reason.trim() === '') return
    const end = new Date(Date.now() + Number(until) * 3_600_000).toISOString()
    silence.mutate({ params: { id: alert.id }, body: { until: end, reason } }, { onSuccess: onClose })
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Silence "${alert.name}"`}
      description="It is evaluated all the same, but nobody is notified. If it still fires at the end, everyone is notified then."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={silence.isPending} onClick={submit}>
            Silence
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="For" required>
          {(control) => (
            <Select
              {...control}
              options={hours}
              value={until}
              onChange={(event) => setUntil(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Reason"
          required
          error={wasSubmitted && reason.trim() === '' ? 'Enter why the alert is silenced.' : undefined}
        >
          {(control) => (
            <Input
              {...control}
              value={reason}
              maxLength={500}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        {failure ? (
          <Notice tone="danger" title={failure.title}>
            {failure.detail}
          </Notice>
        ) : null}
      </div>
    </Dialog>
  )
}
