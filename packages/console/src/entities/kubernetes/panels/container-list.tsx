import type { ReactNode } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { Status } from '../../../ui/status.tsx'
import type { Container } from './containers.ts'

const roleWords: Record<Container['role'], string | null> = {
  container: null,
  sidecar: 'sidecar',
  init: 'init',
  ephemeral: 'debug',
}

/** The containers of a pod or of a template: state, image, resources, probes, and how each ended the last time. */
export function ContainerList({ title, containers }: { title: string; containers: readonly Container[] }) {
  return (
    <Section title={title}>
      <ul className="divide-y divide-line border-y border-line">
        {containers.map((container) => (
          <li key={`${container.role}/${container.name}`} className="grid gap-1.5 py-3">
            <ContainerHead container={container} />
            <ContainerFacts container={container} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Name, kind and state of a container in one line. */
function ContainerHead({ container }: { container: Container }) {
  const { name, role, state, image } = container
  const word = roleWords[role]
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="font-medium break-all">{name}</span>
        {word ? <Badge>{word}</Badge> : null}
        <code className="font-mono text-small break-all text-text-2">{image}</code>
      </span>
      {state ? <Status status={state.status} label={state.words} /> : null}
    </div>
  )
}

/** What is known of a container beside its state, one line each. */
function ContainerFacts({ container }: { container: Container }) {
  const { requests, limits, ports, probes, restarts, lastEnd, mounts, state } = container
  return (
    <dl className="grid gap-x-4 gap-y-1 text-small sm:grid-cols-[6.5rem_minmax(0,1fr)]">
      {lastEnd ? (
        <Line label="Last end">
          {lastEnd.text}
          {lastEnd.at ? (
            <>
              {', '}
              <RelativeTime at={lastEnd.at} />
            </>
          ) : null}
        </Line>
      ) : null}
      {restarts > 0 ? <Line label="Restarts">{formatCount(restarts, 'time')}</Line> : null}
      {state?.since ? (
        <Line label={state.kind === 'ended' ? 'Ended' : 'Runs since'}>
          <RelativeTime at={state.since} />
        </Line>
      ) : null}
      <Line label="Requests">{requests ?? 'nothing'}</Line>
      <Line label="Limits">{limits ?? 'none'}</Line>
      {ports.length > 0 ? <Line label="Ports">{ports.join(', ')}</Line> : null}
      {probes.length > 0 ? (
        <Line label="Probes">
          {probes.map((probe) => (
            <span key={probe} className="block">
              {probe}
            </span>
          ))}
        </Line>
      ) : null}
      {mounts.length > 0 ? (
        <Line label="Mounts">
          {mounts.map(({ volume, path, isReadOnly }) => (
            <span key={`${volume} ${path}`} className="block break-all">
              <code className="font-mono">{path}</code> from {volume}
              {isReadOnly ? ', read only' : ''}
            </span>
          ))}
        </Line>
      ) : null}
    </dl>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-3 max-sm:mt-1">{label}</dt>
      <dd className="min-w-0 break-words text-text-2">{children}</dd>
    </>
  )
}
