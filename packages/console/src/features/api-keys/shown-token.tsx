import type { CallOutput } from '@bey/contract'
import { useTryToken } from '../../data/api-keys.ts'
import type { ApiKeyWithToken } from '../../data/api-keys.ts'
import { causeOf } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ShownOnceDialog } from '../../ui/shown-once-dialog.tsx'

/** The secret of a key, once: to copy, and to try whether it works. */
export function ShownToken({ made, onDone }: { made: ApiKeyWithToken; onDone: () => void }) {
  const { key, token } = made
  const attempt = useTryToken()
  return (
    <ShownOnceDialog
      title={`Copy the secret of ${key.name} now`}
      description="It is shown only here and only once: the server keeps no copy of it."
      label="API key"
      value={token}
      copyLabel="Copy API key"
      example={{
        heading: 'Try it in a terminal',
        label: 'Command that uses the key',
        text: exampleOf(token),
      }}
      actions={
        <Button busy={attempt.isPending} onClick={() => attempt.mutate(token)}>
          Test this key
        </Button>
      }
      onDone={onDone}
    >
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
    </ShownOnceDialog>
  )
}

const exampleOf = (token: string) => `curl '${location.origin}/api/credential' \\
  -H 'Authorization: Bearer ${token}'`

function findings({ organization, permissions, role, key, address }: CallOutput<'credential.get'>): string {
  const reach = key?.resources.length ? ` on ${formatCount(key.resources.length, 'resource')}` : ''
  return `From ${address} it acts in ${organization.name} with ${formatCount(permissions.length, 'permission')}${reach}, within the role ${role}.`
}
