import type { SearchAddon } from '@xterm/addon-search'
import type { Terminal } from '@xterm/xterm'
import { RotateCw } from 'lucide-react'
import { Suspense, useCallback, useState } from 'react'
import { causeOf } from '../../../lib/error-text.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { momentText } from '../../../ui/time-text.ts'
import type { ExecTarget } from './shells.ts'
import { attachCommand, commandWords, execCommand, shells } from './shells.ts'
import type { TerminalState } from './use-terminal.ts'
import { useTerminal } from './use-terminal.ts'

const XtermView = lazyPart(async () => ({ default: (await import('./xterm-view.tsx')).XtermView }))

export interface TerminalPanelProps {
  clusterId: number
  namespace: string
  pod: string
  containers: readonly { name: string; isRunning: boolean }[]
  /** Why there is no terminal; undefined where there is one. */
  disabledReason: string | undefined
}

/** A terminal in a container of a pod. */
export function TerminalPanel(props: TerminalPanelProps) {
  const { clusterId, namespace, pod, containers, disabledReason } = props
  const running = containers.find((each) => each.isRunning)
  const [chosen, setChosen] = useState<string>()
  const container = chosen ?? running?.name
  if (disabledReason !== undefined)
    return <EmptyState title="You may not open a terminal here" description={disabledReason} />
  if (container === undefined) {
    return (
      <EmptyState
        title="No container runs"
        description="A terminal needs a running container. The log of the last run says why it ended; a debug container works in its place."
      />
    )
  }
  return (
    <OpenTerminal
      key={container}
      clusterId={clusterId}
      target={{ namespace, pod, container }}
      containers={containers}
      onContainer={setChosen}
    />
  )
}

function OpenTerminal({
  clusterId,
  target,
  containers,
  onContainer,
}: {
  clusterId: number
  target: ExecTarget
  containers: TerminalPanelProps['containers']
  onContainer: (name: string) => void
}) {
  const [terminal, setTerminal] = useState<Terminal>()
  const [search, setSearch] = useState<SearchAddon>()
  const [shell, setShell] = useState('')
  const [typed, setTyped] = useState('')
  const [command, setCommand] = useState<readonly string[] | 'attach'>()
  const [attempt, setAttempt] = useState(0)
  const state = useTerminal(terminal, clusterId, target, command, attempt)
  const onTerminal = useCallback((next: Terminal | undefined, addon: SearchAddon | undefined) => {
    setTerminal(next)
    setSearch(addon)
  }, [])
  const choose = (value: string) => {
    setShell(value)
    if (value === 'command') return
    setCommand(value === '' ? undefined : value === 'attach' ? 'attach' : [value])
  }
  const isOver = state.status === 'ended' || state.status === 'failed'
  const words = state.status === 'open' ? state.command : (command ?? [shells[0]])
  const line = command === 'attach' || words === 'attach' ? attachCommand(target) : execCommand(target, words)
  return (
    <div className="flex min-h-[24rem] flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-(--gutter) py-2">
        <Select
          aria-label="Container"
          controlSize="small"
          value={target.container}
          onChange={(event) => onContainer(event.target.value)}
          options={containers.map(({ name, isRunning }) => ({
            value: name,
            label: isRunning ? name : `${name} (not running)`,
            disabled: !isRunning,
          }))}
        />
        <Select
          aria-label="Shell"
          controlSize="small"
          value={shell}
          onChange={(event) => choose(event.target.value)}
          options={[
            { value: '', label: 'First available shell' },
            ...shells.map((each) => ({ value: each, label: each })),
            { value: 'command', label: 'Command …' },
            { value: 'attach', label: 'Attach to its program' },
          ]}
        />
        {shell === 'command' ? (
          <form
            className="flex gap-2"
            onSubmit={(event) => {
              event.preventDefault()
              const next = commandWords(typed)
              if (next.length === 0) return
              setCommand(next)
              setAttempt((last) => last + 1)
            }}
          >
            <Input
              aria-label="Command"
              placeholder="python -i"
              controlSize="small"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              className="font-mono"
            />
            <Button size="small" type="submit">
              Run
            </Button>
          </form>
        ) : null}
        <div className="w-44">
          <Input
            type="search"
            aria-label="Search in the terminal"
            placeholder="Search"
            controlSize="small"
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              const { value } = event.currentTarget
              if (event.shiftKey) search?.findPrevious(value)
              else search?.findNext(value)
            }}
          />
        </div>
        <span className="ml-auto flex min-w-0 items-center gap-1 max-md:hidden">
          <code className="truncate font-mono text-small text-text-2">{line}</code>
          <CopyButton text={line} label="Copy command" />
        </span>
      </div>
      <Suspense fallback={<div className="flex-1 bg-sunken" />}>
        <XtermView label={`Terminal in ${target.container}`} onTerminal={onTerminal} />
      </Suspense>
      <output className="flex min-h-9 shrink-0 flex-wrap items-center gap-3 border-t border-line bg-raised px-(--gutter) py-1.5">
        <span className="min-w-0 text-text-2">{stateText(state)}</span>
        {isOver ? (
          <Button
            size="small"
            icon={<RotateCw size={14} aria-hidden />}
            onClick={() => setAttempt((last) => last + 1)}
          >
            Reconnect
          </Button>
        ) : null}
      </output>
    </div>
  )
}

function stateText(state: TerminalState): string {
  switch (state.status) {
    case 'connecting':
      return 'Connecting …'
    case 'open':
      return `Connected to ${state.command.join(' ')}. The audit log records this session under your name.`
    case 'failed':
      return `Not connected. ${causeOf(state.error)}`
    case 'ended': {
      const code = state.exitCode === undefined ? '' : ` with exit code ${state.exitCode}`
      const reason = state.exitCode === undefined && state.reason ? ` ${state.reason}` : ''
      return `Ended at ${momentText(state.at)}${code}.${reason}`
    }
  }
}
