import { useState } from 'react'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { errorText } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Select } from '../../ui/select.tsx'

const days = [1, 7, 30, 90] as const

/** Links that open one issue without an account: a new one is shown once, the others are listed and revoked. */
export function ShareDialog({ id, issueId, onClose }: { id: string; issueId: string; onClose: () => void }) {
  const params = { id, issueId }
  const [expiresInDays, setExpiresInDays] = useState(7)
  const create = useChange('reports.createLink', { isSecret: true })
  const revoke = useChange('reports.revokeLink')
  const { data } = useRead('reports.links', { params })
  const error = create.error ?? revoke.error
  const failure = error ? errorText('The link was not changed', error) : undefined
  const address = create.data && `${globalThis.location.origin}/api/report-links/${create.data.token}`
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Share by a link"
      description="Whoever has the link sees this issue without an account, and nothing else of the organization."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            variant="primary"
            busy={create.isPending}
            onClick={() => create.mutate({ params, body: { expiresInDays } })}
          >
            Create link
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Field label="Expires after" required={false}>
          {(control) => (
            <Select
              {...control}
              value={String(expiresInDays)}
              onChange={({ target }) => setExpiresInDays(Number(target.value))}
              options={days.map((value) => ({
                value: String(value),
                label: value === 1 ? '1 day' : `${value} days`,
              }))}
            />
          )}
        </Field>
        {failure ? (
          <Notice tone="danger" title={failure.title}>
            {failure.detail}
          </Notice>
        ) : null}
        {address ? (
          <Notice tone="info" title="Copy the link now: it is shown once">
            <span className="flex items-center gap-2">
              <code className="min-w-0 text-small break-all">{address}</code>
              <CopyButton text={address} label="Copy link" />
            </span>
          </Notice>
        ) : null}
        <ul aria-label="Links" className="divide-y divide-line">
          {(data?.links ?? []).map((link) => (
            <li key={link.id} className="flex items-center justify-between gap-3 py-2">
              <span>
                {link.status}, by {link.createdBy.name}, {openedText(link.openedCount)}
                <span className="block text-small text-text-3">
                  {link.status === 'expired' ? 'expired' : 'expires'} <RelativeTime at={link.expiresAt} />
                </span>
              </span>
              {link.status === 'open' ? (
                <Button
                  size="small"
                  onClick={() => revoke.mutate({ params: { ...params, linkId: link.id } })}
                >
                  Revoke
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

const openedText = (count: number) =>
  count === 0 ? 'not opened yet' : count === 1 ? 'opened once' : `opened ${count} times`
