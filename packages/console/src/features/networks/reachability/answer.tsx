import { type CallOutput, objectPath } from '@bey/contract'
import { Fragment } from 'react'
import { PolicyLink } from '../../../entities/networks/policy-link.tsx'
import { networkHref } from '../../../entities/networks/network-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Link } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { StatusMark } from '../../../ui/status-mark.tsx'
import { clockTime } from '../../../ui/time-text.ts'
import { tryCommand } from './try-command.ts'

type Check = CallOutput<'networks.reachability.check'>
type Gate = Check['gates'][number]

const looks = {
  yes: { glyph: 'dot', tone: 'text-ok' },
  no: { glyph: 'triangle', tone: 'text-danger' },
  partly: { glyph: 'half', tone: 'text-warn' },
  unknown: { glyph: 'ring', tone: 'text-warn' },
} as const

/** The answer in a sentence, the way gate by gate, and what would open the closed ones. */
export function Answer({
  clusterId,
  check,
  from,
  to,
  port,
  protocol,
  titleOf,
}: {
  clusterId: number
  check: Check
  from: string
  to: string
  port: number
  protocol: string
  /** The name of an end as people know it. */
  titleOf: (end: string) => string
}) {
  const { answer, sentence, gates, doubt, asOf, policies, notes, seen } = check
  const { glyph, tone } = looks[answer]
  const changes = gates.filter(({ state, change }) => state === 'closed' && change !== null)
  const command = tryCommand(from, to, port, protocol, {
    pod: check.from?.pod,
    address: check.to?.address,
  })
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-1 border-b border-line px-(--gutter) py-4">
        <h2 className="flex min-w-0 items-center gap-3 text-title font-semibold">
          <span className={tone}>
            <StatusMark glyph={glyph} />
          </span>
          {sentence}
        </h2>
        {seen === null ? null : <p className="w-full text-text-2 md:order-last">{triesText(seen)}</p>}
        <p className="text-small text-text-3">
          from {formatCount(policies, 'policy', 'policies')}, state of {clockTime(new Date(asOf))}
        </p>
      </div>
      {doubt === null ? null : (
        <div className="px-(--gutter) pt-4">
          <Notice tone="warn" title={doubt} />
        </div>
      )}
      <div className="grid items-start gap-x-8 gap-y-8 px-(--gutter) py-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <Section
          title="The way, gate by gate"
          aside={gates.length === 0 ? undefined : 'all are checked, also behind a closed one'}
        >
          <p className="py-2 font-medium">{endText(titleOf(from), check.from)}</p>
          <ol aria-label="Gates">
            {gates.map((gate) => (
              <GateRow key={gate.kind} clusterId={clusterId} gate={gate} />
            ))}
          </ol>
          <p className="py-2 font-medium">{endText(titleOf(to), check.to)}</p>
          {notes.map((note) => (
            <p key={note} className="mt-2 text-text-2">
              {note}
            </p>
          ))}
        </Section>
        <div className="flex min-w-0 flex-col gap-6">
          {changes.length === 0 ? null : (
            <Section title="What to do">
              {changes.map(({ kind, change }) =>
                change === null ? null : (
                  <div key={kind} className="mb-3">
                    <p className="mb-1.5 text-text-2">{change.text}</p>
                    {change.network === null ? null : (
                      <p className="mb-1.5 text-text-2">
                        Bey keeps this policy for the network {change.network.name}: a rule that is added to
                        it in the cluster is drift. Add it to a{' '}
                        <Link
                          href={networkHref(change.network.id, 'groups')}
                          className="text-accent-text underline"
                        >
                          security group of {change.network.name}
                        </Link>
                        .
                      </p>
                    )}
                    {change.manifest === null ? null : (
                      <CodeBlock label={`What opens the gate ${kind}`} text={change.manifest} />
                    )}
                  </div>
                ),
              )}
            </Section>
          )}
          {command === undefined ? null : (
            <Section title="Try it with a real packet">
              <CodeBlock label="Command that tries it" text={command} />
              <TerminalLink clusterId={clusterId} pod={check.from?.pod ?? null} />
            </Section>
          )}
        </div>
      </div>
    </>
  )
}

/** To the terminal of the pod that the answer begins at. */
function TerminalLink({ clusterId, pod }: { clusterId: number; pod: string | null }) {
  const [namespace = '', name] = pod?.split('/') ?? []
  if (name === undefined) return null
  return (
    <p className="mt-2">
      <Link
        href={objectPath({ clusterId, resource: 'pods', namespace, name }, 'terminal')}
        className="text-accent-text hover:underline"
      >
        Open a terminal of {name}
      </Link>
    </p>
  )
}

/** "It was tried 4 times and never got through, last at 12:29." */
function triesText({ passed, dropped, lastSeenAt }: NonNullable<Check['seen']>): string {
  const tries = passed + dropped
  if (tries === 0) return 'No connection was seen on this way.'
  const outcome =
    dropped === 0
      ? 'always got through'
      : passed === 0
        ? 'never got through'
        : `got through ${formatCount(passed, 'time')}`
  const last = lastSeenAt === null ? '' : `, last at ${clockTime(new Date(lastSeenAt))}`
  return `It was tried ${formatCount(tries, 'time')} and ${outcome}${last}.`
}

const stateText = { open: 'open', closed: 'closed', unknown: 'not known' } as const

function GateRow({ clusterId, gate }: { clusterId: number; gate: Gate }) {
  const { state, title, subtitle, text, asked, rule } = gate
  const isClosed = state === 'closed'
  return (
    <li
      className={cx(
        'relative grid min-h-14 grid-cols-[1.5rem_minmax(0,1fr)_auto] gap-x-3 border-b border-line py-2 md:grid-cols-[1.5rem_13rem_minmax(0,1fr)_4rem]',
        isClosed && 'bg-danger-soft',
      )}
    >
      <span aria-hidden className="relative flex justify-center max-md:row-span-2">
        <span
          className={cx(
            'absolute -inset-y-2 border-l-2',
            isClosed ? 'border-dashed border-danger' : 'border-control',
          )}
        />
        {isClosed ? (
          <span className="relative mt-2 h-1.5 w-6 bg-danger" />
        ) : (
          <span
            className={cx(
              'relative mt-1 size-3 rounded-full border-2 bg-bg',
              state === 'unknown' ? 'border-dashed border-warn' : 'border-control',
            )}
          />
        )}
      </span>
      <span className="max-md:col-start-2 max-md:row-start-1">
        <span className={cx('block font-medium', isClosed && 'text-danger')}>{title}</span>
        <span className="block text-small text-text-3">{subtitle}</span>
      </span>
      <span className="min-w-0 max-md:col-span-2 max-md:col-start-2 max-md:row-start-2">
        <span className="block">{text}</span>
        {rule === null ? (
          asked.length === 0 ? null : (
            <span className="block truncate font-mono text-small text-text-3">
              asked:{' '}
              {asked.map((policy, at) => (
                <Fragment key={`${policy.kind} ${policy.namespace} ${policy.name}`}>
                  {at > 0 ? ', ' : ''}
                  <PolicyLink clusterId={clusterId} policy={policy} />
                </Fragment>
              ))}
            </span>
          )
        ) : (
          <span className="block truncate font-mono text-small text-text-3" title={rule.text}>
            {rule.namespace === null ? rule.name : `${rule.namespace}/${rule.name}`}, rule {rule.number}
          </span>
        )}
      </span>
      <span
        className={cx(
          'text-right max-md:col-start-3 max-md:row-start-1',
          isClosed ? 'font-medium text-danger' : 'text-text-3',
        )}
      >
        {stateText[state]}
      </span>
    </li>
  )
}

function endText(name: string, end: Check['from']): string {
  if (end === null || end.pod === null) return name
  return end.node === null ? `${name}, ${end.pod}` : `${name}, ${end.pod} on ${end.node}`
}
