import { useSearch } from '@tanstack/react-router'
import { ArrowLeftRight } from 'lucide-react'
import { useId, useState } from 'react'
import { useRead } from '../../../data/use-read.ts'
import { ReachedList } from '../../../entities/networks/reached-list.tsx'
import { useChangeSearch } from '../../../lib/change-search.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { Answer } from './answer.tsx'

const protocols = ['TCP', 'UDP', 'SCTP'] as const
type Protocol = (typeof protocols)[number]

/** "Can A reach B on port P?", asked in a line and answered gate by gate. */
export function FlowView({ clusterId }: { clusterId: number }) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const of = (key: string) => {
    const value = search[key]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const [draft, setDraft] = useState({ from: of('from'), to: of('to'), port: of('port') })
  const [known, setKnown] = useState(`${of('from')} ${of('to')} ${of('port')}`)
  const inAddress = `${of('from')} ${of('to')} ${of('port')}`
  // A cell of the matrix, or Back, asks another question.
  if (known !== inAddress) {
    setKnown(inAddress)
    setDraft({ from: of('from'), to: of('to'), port: of('port') })
  }
  const protocol: Protocol = protocols.find((each) => each === search['protocol']) ?? 'TCP'
  const ends = useRead('networks.reachability.ends', { params: { id: clusterId } }).data?.ends ?? []
  const list = useId()
  const port = Number(of('port'))
  const isAsked = of('from') !== '' && of('to') !== '' && Number.isInteger(port) && port > 0
  const check = useRead(
    'networks.reachability.check',
    {
      params: { id: clusterId },
      query: { from: of('from'), to: of('to'), port: isAsked ? port : 1, protocol },
    },
    { isEnabled: isAsked, refreshMs: 10_000 },
  )
  const ask = (next: typeof draft) =>
    changeSearch(
      { cluster: clusterId, from: next.from.trim(), to: next.to.trim(), port: next.port.trim() },
      { isStep: true },
    )
  const hasEnds = draft.from.trim() !== '' || draft.to.trim() !== ''
  // Who reaches something is asked on all ports that it has, or on one.
  const needsPort = draft.to.trim() !== '' && (draft.from.trim() !== '' || draft.port.trim() !== '')
  const isWhole = hasEnds && (!needsPort || /^\d{1,5}$/.test(draft.port.trim()))
  const hasPort = Number.isInteger(port) && port > 0
  return (
    <>
      <form
        aria-label="Question"
        className="flex flex-wrap items-center gap-2 border-b border-line px-(--gutter) py-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (isWhole) ask(draft)
        }}
      >
        <span className="w-10 text-text-2 md:w-auto">Can</span>
        <End list={list} label="From" value={draft.from} onChange={(from) => setDraft({ ...draft, from })} />
        <span className="w-10 text-text-2 md:w-auto">reach</span>
        <End
          list={list}
          label="To"
          value={draft.to}
          onChange={(to) => {
            // What is chosen brings its port along.
            const known = draft.port === '' ? ends.find(({ id }) => id === to)?.port : undefined
            setDraft({ ...draft, to, ...(known && { port: String(known) }) })
          }}
        />
        <span className="w-10 text-text-2 md:w-auto">on</span>
        <span className="w-20">
          <Input
            aria-label="Port"
            inputMode="numeric"
            placeholder="5432"
            value={draft.port}
            autoComplete="off"
            onChange={(event) => setDraft({ ...draft, port: event.target.value })}
          />
        </span>
        <Select
          aria-label="Protocol"
          value={protocol}
          options={protocols.map((value) => ({ value, label: value }))}
          onChange={(event) =>
            changeSearch({ protocol: event.target.value === 'TCP' ? '' : event.target.value })
          }
        />
        <IconButton
          label="Ask the other way"
          icon={<ArrowLeftRight size={14} aria-hidden />}
          onClick={() => ask({ ...draft, from: draft.to, to: draft.from })}
        />
        <Button
          type="submit"
          variant="primary"
          disabledReason={isWhole ? undefined : 'Say from where or to what, and on which port it is reached.'}
        >
          Ask
        </Button>
        <datalist id={list}>
          {ends.map(({ id, kind, name, namespace }) => (
            <option key={id} value={id}>
              {kind} {namespace === null ? name : `${namespace}/${name}`}
            </option>
          ))}
        </datalist>
      </form>
      {!isAsked && of('to') !== '' && of('from') === '' ? (
        <div className="px-(--gutter) py-4">
          <ReachedList
            clusterId={clusterId}
            of={of('to')}
            direction="in"
            port={hasPort ? port : undefined}
            protocol={protocol}
          />
        </div>
      ) : !isAsked && of('from') !== '' && of('to') === '' ? (
        <div className="px-(--gutter) py-4">
          <ReachedList
            clusterId={clusterId}
            of={of('from')}
            direction="out"
            port={undefined}
            protocol={protocol}
          />
        </div>
      ) : !isAsked ? (
        <p className="px-(--gutter) py-6 text-text-2">
          Name both ends as they are offered while you type, such as <code>workload:shop/web</code>,{' '}
          <code>service:data/orders</code>, <code>namespace:shop</code> or <code>address:10.0.0.1</code>, or
          choose a cell of the matrix.
        </p>
      ) : check.error && check.data === undefined ? (
        <div className="px-(--gutter) py-4">
          <Notice tone="warn" title="The question was not answered">
            {causeOf(check.error)}
          </Notice>
        </div>
      ) : check.data ? (
        <Answer
          clusterId={clusterId}
          check={check.data}
          from={of('from')}
          to={of('to')}
          port={port}
          protocol={protocol}
          titleOf={(end) => titleOf(ends, end)}
        />
      ) : null}
    </>
  )
}

/** "shop/web", or "orders (database)": names without a namespace say what they are of. */
function titleOf(
  ends: readonly { id: string; kind: string; name: string; namespace: string | null }[],
  id: string,
) {
  const end = ends.find((each) => each.id === id)
  if (end === undefined) {
    const [kind = '', ...name] = id.split(':')
    return name.length === 0 ? id : `${name.join(':')} (${kind})`
  }
  return `${end.namespace === null ? '' : `${end.namespace}/`}${end.name} (${end.kind})`
}

function End({
  list,
  label,
  value,
  onChange,
}: {
  list: string
  label: string
  value: string
  onChange: (value: string) => void
}) {
  return (
    <span className="min-w-44 flex-1 max-md:basis-[calc(100%-3rem)] md:max-w-72">
      <Input
        aria-label={label}
        list={list}
        placeholder="workload:shop/web"
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  )
}
