import type { Cluster } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { keyText } from '../../ui/key-hint.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import type { DocumentResult } from '../../entities/kubernetes/manifests/apply-manifest.ts'
import { documentKey } from '../../entities/kubernetes/manifests/apply-manifest.ts'
import type { useManifestRun } from './use-manifest-run.ts'
import type { Free } from '../../entities/kubernetes/yaml/text-problem.ts'
import { DocumentResults } from './document-results.tsx'
import { FieldConflicts } from './field-conflicts.tsx'

export interface ManifestPanelProps {
  cluster: Cluster
  run: ReturnType<typeof useManifestRun>
  denied: string | undefined
  stale: string | undefined
  isEmpty: boolean
  problem: string | undefined
  notKept: string | undefined
  missing: readonly string[]
  onAddNamespaces: () => void
  onShow: (result: DocumentResult) => void
  onEditField: (result: DocumentResult, field: string) => void
  onAnswer: (result: DocumentResult, live: Free | undefined, theirs: string[]) => void
  onRetry: () => void
  onSubmit: () => void
}

const kubectl = 'kubectl apply --server-side --field-manager=bey -f manifest.yaml'

/** Beside the manifest: what becomes of each document, what has to be answered, and the button that goes on. */
export function ManifestPanel(props: ManifestPanelProps) {
  const { cluster, run, denied, problem, notKept, missing } = props
  const conflicting = run.results.flatMap((result) =>
    result.outcome.state === 'refused' && result.outcome.refusal.managerConflicts.length > 0
      ? [{ result, refusal: result.outcome.refusal }]
      : [],
  )
  return (
    <div className="flex min-w-0 flex-col lg:h-[calc(100dvh-10.25rem)]">
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto p-4">
        {denied ? (
          <Notice tone="warn" title="You can view this cluster, but not create anything in it">
            {denied}
          </Notice>
        ) : null}
        {problem ? (
          <Notice tone="danger" title="The text is not ready">
            {problem}
          </Notice>
        ) : null}
        {notKept ? <Notice tone="info" title={notKept} /> : null}
        {missing.length > 0 && run.phase !== 'applied' ? (
          <Notice
            tone="warn"
            title={`${cluster.title} has no namespace ${missing.map((name) => `"${name}"`).join(', ')}`}
            actions={
              <Button size="small" onClick={props.onAddNamespaces}>
                Create it first
              </Button>
            }
          >
            The namespace is put at the top of the manifest.
          </Notice>
        ) : null}
        {run.results.length > 0 ? (
          <Section title={titleOf(run.phase)} aside={formatCount(run.results.length, 'document')}>
            <DocumentResults clusterId={cluster.id} results={run.results} onShow={props.onShow} />
          </Section>
        ) : denied ? null : (
          <p className="text-text-2">
            Write or paste one object or several, divided by lines of ---, or drop files on the editor.
            Namespaces and definitions are applied first; each document has a result of its own.
          </p>
        )}
        {conflicting.map(({ result, refusal }) => (
          <FieldConflicts
            key={documentKey(result.document)}
            document={result.document}
            conflicts={refusal.managerConflicts}
            live={refusal.live}
            onAnswered={({ theirs }) => props.onAnswer(result, refusal.live, theirs)}
            onEdit={(field) => props.onEditField(result, field)}
          />
        ))}
      </div>
      <Actions {...props} />
    </div>
  )
}

function titleOf(phase: ManifestPanelProps['run']['phase']): string {
  if (phase === 'applied' || phase === 'applying') return 'Result'
  return phase === 'reviewing' ? 'Checking' : 'What will happen'
}

function Actions({ run, denied, stale, isEmpty, onRetry, onSubmit }: ManifestPanelProps) {
  const refused = run.results.filter(({ outcome }) => outcome.state === 'refused').length
  const isReviewed = run.phase === 'reviewed'
  const acting = run.results.filter(({ outcome }) => outcome.state !== 'unchanged').length
  const reason =
    denied ??
    stale ??
    (isEmpty ? 'Write, paste or drop an object first.' : undefined) ??
    (isReviewed && refused > 0
      ? `${formatCount(refused, 'document')} ${refused === 1 ? 'is' : 'are'} refused.`
      : undefined)
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 border-t border-line p-4 pb-9">
      <div className="flex items-center gap-2 rounded-control border border-line bg-sunken py-0.5 pr-1 pl-2.5">
        <code className="min-w-0 flex-1 truncate font-mono text-small text-text-2">{kubectl}</code>
        <CopyButton text={kubectl} label="Copy command" />
      </div>
      {run.phase === 'applied' && refused > 0 ? (
        <Button variant="primary" disabledReason={stale} onClick={onRetry}>
          Retry {formatCount(refused, 'refused document')}
        </Button>
      ) : (
        <Button variant="primary" busy={run.isBusy} disabledReason={reason} onClick={onSubmit}>
          {isReviewed ? `Apply ${formatCount(acting, 'object')}` : 'Review'}{' '}
          <span className="text-meta font-normal">{keyText(['Mod', 'Enter'])}</span>
        </Button>
      )}
      {reason && !isEmpty ? <p className="text-small text-text-2">{reason}</p> : null}
    </div>
  )
}
