import type { Diagnosis, Evidence, ObjectRef, Remedy } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { useDiagnosis } from '../../data/kubernetes.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'

export interface DiagnosisPanelProps {
  clusterId: number
  object: ObjectRef & { resource: string }
  /** Grows with what is known of the object, so that the explanation is read again. */
  version: string
  /** Runs an action of the console; absent for those that only have a page. */
  onAction?: ((action: NonNullable<Remedy['action']>) => void) | undefined
}

/** Why an object fails: symptom, because, because; at the right the way out. Nothing while nothing is wrong. */
export function DiagnosisPanel({ clusterId, object, version, onAction }: DiagnosisPanelProps) {
  const { data } = useDiagnosis(clusterId, object, version)
  if (!data?.diagnosis) return null
  const { diagnosis } = data
  return (
    <Section
      title={diagnosis.cause ? 'Why is it failing?' : 'What we know'}
      className="rounded-card border border-line p-4 lg:col-span-full"
    >
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="min-w-0">
          {diagnosis.cause ? <p className="mb-3 text-lead font-semibold">{diagnosis.cause.text}</p> : null}
          <ol className="grid gap-3">
            {diagnosis.evidence.map((each, index) => (
              <EvidenceItem
                key={`${each.text}-${each.quote}`}
                clusterId={clusterId}
                evidence={each}
                isSymptom={index === 0}
                isLinked={isNewObject(each, [object, diagnosis.evidence[index - 1]?.object])}
              />
            ))}
          </ol>
        </div>
        <Remedies clusterId={clusterId} diagnosis={diagnosis} onAction={onAction} />
      </div>
    </Section>
  )
}

/** An object is linked where it is first spoken of, and not on its own page. */
function isNewObject({ object }: Evidence, known: readonly (ObjectRef | null | undefined)[]): boolean {
  return (
    object !== null && !known.some((each) => each && each.kind === object.kind && each.name === object.name)
  )
}

function EvidenceItem({
  clusterId,
  evidence,
  isSymptom,
  isLinked,
}: {
  clusterId: number
  evidence: Evidence
  isSymptom: boolean
  isLinked: boolean
}) {
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)]">
      <span className={isSymptom ? 'pt-1 text-danger' : 'pt-1 text-text-3'} aria-hidden>
        <StatusMark glyph={isSymptom ? 'triangle' : 'dot'} isBusy={false} />
      </span>
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="min-w-0 break-words">
            {evidence.text}
            {evidence.object && isLinked ? (
              <>
                {' · '}
                <ObjectName clusterId={clusterId} object={evidence.object} />
              </>
            ) : null}
          </span>
          {evidence.at ? (
            <span className="text-small text-text-2">
              <RelativeTime at={evidence.at} />
            </span>
          ) : null}
        </div>
        {evidence.quote ? (
          <pre className="mt-1 max-h-48 overflow-auto rounded-control bg-sunken px-3 py-2 font-mono text-small whitespace-pre-wrap">
            {evidence.quote}
          </pre>
        ) : null}
      </div>
    </li>
  )
}

function ObjectName({ clusterId, object }: { clusterId: number; object: ObjectRef }) {
  const { resource } = object
  if (resource === null) return <>{object.name}</>
  return <Link href={objectPath({ clusterId, ...object, resource })}>{object.name}</Link>
}

function Remedies({
  clusterId,
  diagnosis,
  onAction,
}: {
  clusterId: number
  diagnosis: Diagnosis
  onAction: DiagnosisPanelProps['onAction']
}) {
  const { remedies, ruledOut } = diagnosis
  if (remedies.length === 0 && ruledOut.length === 0) return null
  return (
    <div className="grid min-w-0 content-start gap-5">
      {remedies.length > 0 ? (
        <div>
          <h3 className="mb-2 font-semibold">What to do</h3>
          <ol className="grid gap-4">
            {remedies.map((remedy, index) => (
              <li key={remedy.text} className="grid min-w-0 gap-1.5">
                <RemedyButton
                  clusterId={clusterId}
                  remedy={remedy}
                  isFirst={index === 0}
                  onAction={onAction}
                />
                {remedy.command ? (
                  <div className="flex min-w-0 items-start gap-1">
                    <code className="min-w-0 flex-1 font-mono text-small break-all text-text-2">
                      {remedy.command}
                    </code>
                    <CopyButton text={remedy.command} label="Copy command" />
                  </div>
                ) : null}
              </li>
            ))}
          </ol>
        </div>
      ) : null}
      {ruledOut.length > 0 ? (
        <div>
          <h3 className="mb-1 font-semibold">Ruled out</h3>
          <ul className="text-small text-text-2">
            {ruledOut.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  )
}

/** Actions that are parts of an object's page. */
const tabs: Partial<Record<NonNullable<Remedy['action']>['id'], string>> = {
  logs: 'logs',
  'edit-yaml': 'yaml',
}

/** Where an action is a page: the object or a part of it, or the form that creates one. */
function hrefOf(clusterId: number, { id, object }: NonNullable<Remedy['action']>): string | undefined {
  if (id === 'create') return `/kubernetes/clusters/${clusterId}/create`
  const { resource } = object
  if (resource === null || !(id === 'open' || id in tabs)) return undefined
  return objectPath({ clusterId, ...object, resource }, tabs[id])
}

function RemedyButton({
  clusterId,
  remedy,
  isFirst,
  onAction,
}: {
  clusterId: number
  remedy: Remedy
  isFirst: boolean
  onAction: DiagnosisPanelProps['onAction']
}) {
  const { action, text } = remedy
  const variant = isFirst ? 'primary' : 'secondary'
  if (!action) return <p>{text}</p>
  const href = hrefOf(clusterId, action)
  if (href !== undefined) {
    return (
      <ButtonLink href={href} variant={variant} className="justify-self-start text-left whitespace-normal">
        {text}
      </ButtonLink>
    )
  }
  if (!onAction) return <p className={isFirst ? 'font-medium' : undefined}>{text}</p>
  return (
    <Button
      variant={variant}
      className="h-auto min-h-8 justify-self-start py-1 text-left whitespace-normal"
      onClick={() => onAction(action)}
    >
      {text}
    </Button>
  )
}
