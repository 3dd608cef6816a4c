import type { Terminal } from '@xterm/xterm'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ExecEnd } from './exec-protocol.ts'
import type { ExecSession } from './exec-session.ts'
import { openExec } from './exec-session.ts'
import type { ExecTarget } from './shells.ts'
import { attachPath, execPath, shells } from './shells.ts'

export type TerminalState =
  | { status: 'connecting' }
  | { status: 'open'; command: readonly string[] }
  | { status: 'ended'; at: Date; exitCode: number | undefined; reason: string }
  | { status: 'failed'; error: unknown }

/**
 * Runs a command in a container and joins it with a terminal; without a command the first shell that the container has.
 * `attempt` grows with each reconnect.
 */
export function useTerminal(
  terminal: Terminal | undefined,
  clusterId: number,
  { namespace, pod, container }: ExecTarget,
  command: readonly string[] | 'attach' | undefined,
  attempt: number,
): TerminalState {
  const [known, setKnown] = useState<{ key: string; state: TerminalState }>()
  const session = useRef<ExecSession>(undefined)
  const isAttach = command === 'attach'
  const commandKey = isAttach ? 'attach' : command?.join('\n')

  const key = `${attempt} ${clusterId} ${namespace}/${pod}/${container} ${commandKey ?? ''}`

  const connect = useCallback(
    async (signal: AbortSignal, xterm: Terminal, setState: (state: TerminalState) => void) => {
      const wanted = commandKey === undefined ? shells.map((shell) => [shell]) : [commandKey.split('\n')]
      for (const words of wanted) {
        const end = await runCommand(signal, xterm, words)
        if (signal.aborted) return
        const isLast = words === wanted.at(-1)
        if (end?.isNotFound && !isLast) continue
        const noShell = end?.isNotFound && wanted.length > 1
        setState({
          status: 'ended',
          at: new Date(),
          exitCode: end?.exitCode,
          reason: noShell
            ? `The container has none of the shells ${shells.join(', ')}. Type a command that it has, or add a debug container.`
            : (end?.message ?? 'The connection was lost.'),
        })
        return
      }

      function runCommand(of: AbortSignal, to: Terminal, words: readonly string[]) {
        return new Promise<ExecEnd | undefined>((resolve, reject) => {
          const handlers = {
            onOpen: () => {
              setState({ status: 'open', command: words })
              session.current?.resize(to.cols, to.rows)
            },
            onOutput: (bytes: Uint8Array) => to.write(bytes),
            onEnd: resolve,
          }
          const target = { namespace, pod, container }
          openExec(clusterId, isAttach ? attachPath(target) : execPath(target, words), handlers, of).then(
            (opened) => {
              session.current = opened
              opened.resize(to.cols, to.rows)
            },
            reject,
          )
        })
      }
    },
    [clusterId, namespace, pod, container, commandKey, isAttach],
  )

  useEffect(() => {
    if (!terminal) return
    const stopped = new AbortController()
    const typed = terminal.onData((text) => session.current?.send(text))
    const resized = terminal.onResize(({ cols, rows }) => session.current?.resize(cols, rows))
    const setState = (state: TerminalState) => {
      if (!stopped.signal.aborted) setKnown({ key, state })
    }
    connect(stopped.signal, terminal, setState).catch((error: unknown) =>
      setState({ status: 'failed', error }),
    )
    return () => {
      stopped.abort()
      session.current = undefined
      typed.dispose()
      resized.dispose()
    }
  }, [terminal, connect, key])

  // What is known of an earlier attempt says nothing of this one.
  return known?.key === key ? known.state : { status: 'connecting' }
}
