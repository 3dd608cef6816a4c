import { FilePlus, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { CertificateChain } from '../../entities/clusters/certificate-chain.tsx'
import { ConnectionChecks } from '../../entities/clusters/connection-checks.tsx'
import { IdentityAndRights } from '../../entities/clusters/connection-rights.tsx'
import { ProblemText } from '../../entities/clusters/problem-text.tsx'
import { CaBundleDialog, TrustDialog } from './trust-dialogs.tsx'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Link } from '../../ui/link.tsx'
import type { Change, Entry, Trust } from './import-state.ts'
import { canChoose } from './import-state.ts'

export interface ContextDetailProps {
  entry: Entry
  titleError: string | undefined
  onEdit: (values: Extract<Change, { kind: 'edit' }>['values']) => void
  /** Tests it as it is given. */
  onTest: (entry: Entry) => void
}

/** What is known of one context: what is in its way and what to do, or whom it makes of Bey. */
export function ContextDetail({ entry, titleError, onEdit, onTest }: ContextDetailProps) {
  const { outcome, context } = entry
  const test = outcome.kind === 'tested' ? outcome.test : undefined
  return (
    <div className="grid gap-x-8 gap-y-5 px-3 pt-1 pb-5 lg:grid-cols-[minmax(0,1fr)_18rem] lg:pl-13">
      <div className="flex min-w-0 flex-col gap-4">
        {outcome.kind === 'testing' ? <p className="text-text-2">Connecting to the cluster…</p> : null}
        {outcome.kind === 'error' ? (
          <ProblemText problem={{ title: 'It was not tested.', detail: outcome.message, commands: [] }} />
        ) : null}
        {context.problems.map((problem) => (
          <ProblemText key={problem.title} problem={problem} />
        ))}
        {test?.problem ? <ProblemText problem={test.problem} /> : null}
        {test?.stoppedAt === 'certificate' ? <CertificateChain chain={test.chain} /> : null}
        {canChoose(entry) ? <TitleField entry={entry} error={titleError} onEdit={onEdit} /> : null}
        {outcome.kind === 'tested' && outcome.alreadyImported ? (
          <p className="text-text-2">
            This cluster is here already, as{' '}
            <Link
              href={clusterHref(outcome.alreadyImported.id)}
              className="text-text underline hover:text-accent-text"
            >
              {outcome.alreadyImported.title}
            </Link>
            . Import it once more only to use other credentials.
          </p>
        ) : null}
        {test?.rights || test?.identity ? <IdentityAndRights test={test} /> : null}
        {context.problems.length > 0 ? null : (
          <TestActions entry={entry} onTest={(trust) => onTest({ ...entry, trust: trust ?? entry.trust })} />
        )}
      </div>
      {test ? (
        <div className="min-w-0 border-line lg:border-l lg:pl-5">
          <ConnectionChecks checks={test.checks} />
        </div>
      ) : null}
    </div>
  )
}

function TitleField({
  entry,
  error,
  onEdit,
}: {
  entry: Entry
  error: string | undefined
  onEdit: ContextDetailProps['onEdit']
}) {
  return (
    <Field
      label="Title"
      hint="What the cluster is called here. Lower-case letters, digits and hyphens."
      error={error}
      className="max-w-sm"
    >
      {(control) => (
        <Input
          {...control}
          value={entry.title}
          onChange={(event) => onEdit({ title: event.target.value })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </Field>
  )
}

function TestActions({ entry, onTest }: { entry: Entry; onTest: (trust?: Trust) => void }) {
  const [dialog, setDialog] = useState<'bundle' | 'trust'>()
  const { outcome, context } = entry
  const test = outcome.kind === 'tested' ? outcome.test : undefined
  const last = test?.chain.at(-1)
  const isUntrusted = test?.stoppedAt === 'certificate' && last !== undefined
  const canTrust = isUntrusted && last.problem === 'not trusted here'
  const take = (trust: Trust) => {
    setDialog(undefined)
    onTest(trust)
  }
  return (
    <div className="flex flex-wrap gap-2">
      {isUntrusted ? (
        <Button icon={<FilePlus size={14} aria-hidden />} onClick={() => setDialog('bundle')}>
          Add a CA bundle…
        </Button>
      ) : null}
      {canTrust ? <Button onClick={() => setDialog('trust')}>Trust this certificate…</Button> : null}
      <Button
        variant="ghost"
        icon={<RotateCw size={14} aria-hidden />}
        busy={outcome.kind === 'testing'}
        onClick={() => onTest()}
      >
        Test again
      </Button>
      {dialog === 'bundle' ? (
        <CaBundleDialog onClose={() => setDialog(undefined)} onTake={(caPem) => take({ caPem })} />
      ) : null}
      {dialog === 'trust' && last ? (
        <TrustDialog
          certificate={last}
          server={context.server}
          onClose={() => setDialog(undefined)}
          onTrust={() => take({ trustedFingerprint: last.fingerprint })}
        />
      ) : null}
    </div>
  )
}
