import type { Diagnosis, Evidence, ObjectRef, Remedy } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { useId } from 'react'
import { useDiagnosis } from '../../data/kubernetes.ts'
import { useClusterStaleReason } from '../../entities/clusters/use-cluster-stale-reason.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'

export interface DiagnosisPanelProps {
  clusterId: number
  object: ObjectRef & { resource: string }
  /** Grows with what is known of the object, so that the explanation is read again. */
  version: string
  /** It works still, though not as it should. */
  isDegraded?: boolean
  /** Runs an action of the console; absent for those that only have a page. */
  onAction?: ((action: NonNullable<Remedy['action']>) => void) | undefined
}

/** Why an object fails: symptom, because, because; at the right the way out. Nothing while nothing is wrong. */
export function DiagnosisPanel({ clusterId, object, version, isDegraded, onAction }: DiagnosisPanelProps) {
  const { data } = useDiagnosis(clusterId, object, version)
  const id = useId()
  if (!data?.diagnosis) return null
  const { diagnosis } = data
  const title = isDegraded ? 'Why is it degraded?' : 'Why is it failing?'
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 overflow-hidden rounded-card border border-line lg:col-span-full lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr]"
    >
      <div className="min-w-0 p-4 pb-3">
        <h2 id={id} className={cx('font-semibold', diagnosis.cause && 'mb-3')}>
          {diagnosis.cause ? title : 'What we know'}
        </h2>
        {diagnosis.cause ? <p className="text-lead font-semibold">{diagnosis.cause.text}</p> : null}
      </div>
      {/* On a phone the way out follows the cause, as it does for whoever is in a hurry. */}
      <div className="min-w-0 p-4 max-lg:order-last lg:pt-0">
        <ol className="grid">
          {diagnosis.evidence.map((each, index) => (
            <EvidenceItem
              key={`${each.text}-${each.quote}-${each.object?.name}`}
              clusterId={clusterId}
              evidence={each}
              isSymptom={index === 0}
              isDegraded={isDegraded ?? false}
              isLinked={isNewObject(each, [object, diagnosis.evidence[index - 1]?.object])}
            />
          ))}
        </ol>
        <RuledOut texts={diagnosis.ruledOut} className="mt-5 lg:hidden" />
      </div>
      <Remedies clusterId={clusterId} diagnosis={diagnosis} onAction={onAction} />
    </section>
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
  isDegraded,
  isLinked,
}: {
  clusterId: number
  evidence: Evidence
  isSymptom: boolean
  isDegraded: boolean
  isLinked: boolean
}) {
  return (
    <li className="group grid grid-cols-[1.25rem_minmax(0,1fr)]">
      <span aria-hidden className="flex flex-col items-start gap-1">
        <span
          data-live-color=""
          className={cx('pt-1', !isSymptom ? 'text-text-3' : isDegraded ? 'text-warn' : 'text-danger')}
        >
          <StatusMark glyph={isSymptom ? 'triangle' : 'dot'} isBusy={false} />
        </span>
        {/* What leads to what hangs together. */}
        <span className="ml-[7px] w-px flex-1 bg-line group-last:hidden" />
      </span>
      <div className="min-w-0 pb-3 group-last:pb-0">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className={cx('min-w-0 break-words', isSymptom && 'font-medium')}>
            {evidence.object && isLinked ? (
              <LinkedText clusterId={clusterId} text={evidence.text} object={evidence.object} />
            ) : (
              evidence.text
            )}
          </span>
          {evidence.at ? (
            <span className="text-small text-text-2">
              <RelativeTime at={evidence.at} />
            </span>
          ) : null}
        </div>
        {evidence.quote ? <Quote evidence={evidence} /> : null}
      </div>
    </li>
  )
}

/** Lines of a log keep their shape; what a controller says is a sentence like others. */
function Quote({ evidence: { kind, quote } }: { evidence: Evidence }) {
  if (kind !== 'log') return <p className="break-words text-text-2">{quote}</p>
  return (
    <pre
      // A box that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="mt-1 max-h-48 overflow-auto rounded-control bg-sunken px-3 py-2 font-mono text-small whitespace-pre-wrap"
    >
      {quote}
    </pre>
  )
}

/** Links the object where the text names it, or else after the text. */
function LinkedText({ clusterId, text, object }: { clusterId: number; text: string; object: ObjectRef }) {
  const at = text.indexOf(object.name)
  const [before, after] =
    at < 0 ? [`${text} · `, ''] : [text.slice(0, at), text.slice(at + object.name.length)]
  return (
    <>
      {before}
      <ObjectName clusterId={clusterId} object={object} />
      {after}
    </>
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
    <div className="grid min-w-0 content-start gap-5 border-line bg-raised p-4 max-lg:border-y lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:border-l">
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
                    <code className="min-w-0 flex-1 font-mono text-small wrap-anywhere text-text-2">
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
      <RuledOut texts={ruledOut} className="max-lg:hidden" />
    </div>
  )
}

/** What somebody would check next and need not. */
function RuledOut({ texts, className }: { texts: readonly string[]; className: string }) {
  if (texts.length === 0) return null
  return (
    <div className={className}>
      <h3 className="mb-1 font-semibold">Ruled out</h3>
      <ul className="text-small text-text-2">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
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
  const stale = useClusterStaleReason(clusterId)
  const variant = isFirst ? 'primary' : 'secondary'
  if (!action) return <p>{text}</p>
  const href = hrefOf(clusterId, action)
  if (href !== undefined) {
    return (
      <ButtonLink
        href={href}
        variant={variant}
        className="h-auto min-h-8 max-w-full justify-self-start py-1 text-left whitespace-normal"
      >
        {text}
      </ButtonLink>
    )
  }
  if (!onAction) return <p className={isFirst ? 'font-medium' : undefined}>{text}</p>
  return (
    <Button
      variant={variant}
      className="h-auto min-h-8 max-w-full justify-self-start py-1 text-left whitespace-normal"
      disabledReason={stale}
      onClick={() => onAction(action)}
    >
      {text}
    </Button>
  )
}
