import type { CallOutput, SecretVerification } from '@bey/contract'
import { useVerifySecrets } from '../../data/secret-keys.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { secretHref } from '../../entities/secrets/secret-text.ts'
import { causeOf } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** Starts a verification, shows how far it is, and says what was found. */
export function VerifySecrets({ keys }: { keys: CallOutput<'secrets.keys'> }) {
  const verify = useVerifySecrets()
  const stale = useStaleReason()
  const { verifying, lastVerified } = keys
  const isRunning = verify.isPending || verifying !== null
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <p className="text-text-2">
        {lastVerified ? (
          <>
            Last verified <RelativeTime at={lastVerified.at} /> by {lastVerified.by}:{' '}
            {lastVerified.isGood ? 'everything opened and the chain held.' : 'something was wrong.'}
          </>
        ) : (
          'Never verified yet.'
        )}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Button disabledReason={stale} busy={isRunning} onClick={() => verify.mutate()}>
          Verify now
        </Button>
        {verifying ? (
          <output className="text-text-2 tabular-nums">
            {verifying.checked} of {verifying.versions} values opened
          </output>
        ) : null}
      </div>
      {verifying ? (
        <progress
          aria-label="Values opened"
          className="h-1.5 w-full accent-(--color-accent)"
          max={Math.max(1, verifying.versions)}
          value={verifying.checked}
        />
      ) : null}
      {verify.error ? (
        <Notice tone="danger" title="The verification did not end">
          {causeOf(verify.error)}
        </Notice>
      ) : null}
      {verify.data && !isRunning ? <Result found={verify.data} /> : null}
    </div>
  )
}

function Result({ found }: { found: SecretVerification }) {
  const { versions, opened, failed, auditBefore, audit } = found
  const isGood = opened === versions && auditBefore.isIntact && audit.isIntact
  return (
    <Notice
      tone={isGood ? 'info' : 'danger'}
      title={isGood ? 'Everything opens, and the audit chain holds' : 'Something does not hold'}
    >
      <Facts
        facts={[
          { label: 'Values opened', value: `${opened} of ${formatCount(versions, 'value')}` },
          { label: 'Audit chain before', value: chainText(auditBefore) },
          { label: 'Audit chain after', value: chainText(audit) },
        ]}
      />
      {failed.length > 0 ? (
        <ul className="mt-2">
          {failed.map(({ secretId, name, version }) => (
            <li key={`${secretId} ${version}`}>
              <Link href={secretHref(secretId, 'versions')} className="underline underline-offset-4">
                {name}
              </Link>
              , version {version}, does not open: restore it from a backup, or store a new value.
            </li>
          ))}
        </ul>
      ) : null}
    </Notice>
  )
}

function chainText({ isIntact, entries, problem }: SecretVerification['audit']): string {
  return isIntact ? `holds, ${formatCount(entries ?? 0, 'entry', 'entries')}` : (problem ?? 'broken')
}
