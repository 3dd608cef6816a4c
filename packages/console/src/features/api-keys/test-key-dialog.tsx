import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { keyHref } from './key-text.ts'
import { useChange } from '../../data/use-change.ts'

/** Says of a secret that somebody found or that does not work which key it is, and why it is refused. */
export function TestKeyDialog({ onClose }: { onClose: () => void }) {
  const [token, setToken] = useState('')
  const test = useChange('apiKeys.test', { isSecret: true })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (token.trim() !== '' && !test.isPending) test.mutate({ body: { token: token.trim() } })
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Test an API key"
      description="Find out which key a secret belongs to, and whether it works."
    >
      <form onSubmit={submit} className="flex flex-col gap-4 pb-1">
        <Field label="Secret" hint="It is compared by its hash and kept nowhere.">
          {(control) => (
            <Input
              {...control}
              type="password"
              data-initial-focus=""
              autoComplete="off"
              spellCheck={false}
              placeholder="bey_key_…"
              value={token}
              onChange={(event) => {
                setToken(event.target.value)
                if (test.data || test.error) test.reset()
              }}
            />
          )}
        </Field>
        <div aria-live="polite">
          {test.data ? (
            <Notice
              tone={test.data.verdict === 'works' ? 'info' : 'warn'}
              title={test.data.sentence}
              actions={test.data.key ? <Link href={keyHref(test.data.key.id)}>Open the key</Link> : null}
            />
          ) : null}
          {test.error ? (
            <Notice tone="danger" title="The key could not be tested">
              {causeOf(test.error)}
            </Notice>
          ) : null}
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" variant="primary" busy={test.isPending} disabled={token.trim() === ''}>
            Test key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
