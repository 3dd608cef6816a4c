import type { CallOutput } from '@bey/contract'
import { useTryToken } from '../../data/api-keys.ts'
import type { ApiKeyWithToken } from '../../data/api-keys.ts'
import { causeOf } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'

/** The secret of a key, once: to copy, and to try whether it works. */
export function ShownToken({ made, onDone }: { made: ApiKeyWithToken; onDone: () => void }) {
  const { key, token } = made
  const attempt = useTryToken()
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      title={`Copy the secret of ${key.name} now`}
      description="It is shown only here and only once: the server keeps no copy of it."
      size="wide"
      isRequired
      footer={
        <>
          <Button busy={attempt.isPending} onClick={() => attempt.mutate(token)}>
            Test this key
          </Button>
          <Button variant="primary" onClick={onDone}>
            I have copied it
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 pb-1">
        <Field label="API key">
          {(control) => (
            <Input
              {...control}
              readOnly
              data-initial-focus=""
              className="font-mono text-small"
              value={token}
              trailing={<CopyButton text={token} label="Copy API key" />}
              onFocus={(event) => event.target.select()}
            />
          )}
        </Field>
        <div>
          <p className="mb-1.5 font-medium">Try it in a terminal</p>
          <CodeBlock label="Command that uses the key" text={exampleOf(token)} />
        </div>
        <div aria-live="polite">
          {attempt.data ? (
            <Notice tone="info" title="The key works">
              {findings(attempt.data)}
            </Notice>
          ) : null}
          {attempt.error ? (
            <Notice tone="danger" title="The key does not work from this browser">
              {causeOf(attempt.error)}
            </Notice>
          ) : null}
        </div>
      </div>
    </Dialog>
  )
}

const exampleOf = (token: string) => `curl '${location.origin}/api/credential' \\
  -H 'Authorization: Bearer ${token}'`

function findings({ organization, permissions, role, key, address }: CallOutput<'credential.get'>): string {
  const reach = key?.resources.length ? ` on ${formatCount(key.resources.length, 'resource')}` : ''
  return `From ${address} it acts in ${organization.name} with ${formatCount(permissions.length, 'permission')}${reach}, within the role ${role}.`
}
